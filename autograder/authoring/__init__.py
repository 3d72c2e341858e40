"""For authors: lint, stubs, schema, new exercises."""
