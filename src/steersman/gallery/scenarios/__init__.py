"""The built-in scenarios, a file each: a document with parameters, and a check of the result."""
