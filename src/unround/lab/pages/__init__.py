"""The lab's HTML pages: documents, the report of a reproduction, the report of a comparison."""
