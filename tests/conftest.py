"""The tests speak no language of the machine's own: its locale names none."""

import os

os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"
