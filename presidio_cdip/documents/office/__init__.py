"""Read and write packages of XML parts with flowing text: docx, pptx and OpenDocument."""
