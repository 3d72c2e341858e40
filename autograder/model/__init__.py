"""What the house talks about: frozen data, no behaviour beyond their own consistency."""
