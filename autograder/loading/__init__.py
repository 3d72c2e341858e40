"""YAML, reference solutions and submissions: files to model."""
