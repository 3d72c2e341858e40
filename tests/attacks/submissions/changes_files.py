# Tries: writing, appending, making, linking, renaming and removing in a folder that anyone may write to.
# Must not happen: one of it is done.
# Levels: walled
# Softmax: passed
import os
#: right
#: probes

F = "@FOLDER@"
attempt("write", lambda: open(F + "/written", "w").close())
attempt("append", lambda: open(F + "/secret", "a").close())
attempt("truncate", lambda: os.truncate(F + "/secret", 0))
attempt("mkdir", lambda: os.mkdir(F + "/made"))
attempt("symlink", lambda: os.symlink("/", F + "/link"))
attempt("link", lambda: os.link(F + "/secret", F + "/hardlink"))
attempt("rename", lambda: os.rename(F + "/spare", F + "/moved"))
attempt("unlink", lambda: os.unlink(F + "/spare"))
attempt("chmod", lambda: os.chmod(F + "/secret", 0o600))
attempt("utime", lambda: os.utime(F + "/secret", (0, 0)))
attempt("mkfifo", lambda: os.mkfifo(F + "/fifo"))
attempt("setxattr", lambda: os.setxattr(F + "/secret", "user.x", b"x"))
report()
