"""A page's pixels: files, cleaning, turning, light and paper."""
