"""What enters the sandbox: the standard library, numpy and these modules, nothing else of the house."""
