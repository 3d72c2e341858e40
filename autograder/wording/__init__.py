"""What is said, by code: detection makes codes and numbers, words are here alone."""
