# Tries: 64 MB in each of seven places.
# Must not happen: a file is made anywhere.
# Levels: walled
# Softmax: passed
import os
#: right
#: probes


def fill(folder):
    with open(os.path.join(folder, "attack-fill"), "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))


for folder in ("/tmp", "/var/tmp", "/dev/shm", "/", ".", "/w", "@FOLDER@"):
    attempt(folder, lambda: fill(folder))
report()
