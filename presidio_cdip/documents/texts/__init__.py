"""Read and write formats that are text: JSON, CSV, mail and HTML, by positions in their source."""
