"""From page to page: read, map, erase."""
