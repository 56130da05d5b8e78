"""Read and write workbooks, cell by cell as they are displayed."""
