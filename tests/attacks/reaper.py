"""Run a command, end it as asked, and tell what it left behind: a script of its own, on Linux alone.

reaper.py TELL SECONDS KILL_AFTER -- COMMAND…

Whatever the command starts and loses becomes a child of this process. TELL gets, as JSON: code, seconds,
left (command lines of processes that were still there 3 s after the command's end; they are killed then).
With KILL_AFTER above 0 the command itself, and nothing else, gets SIGKILL once so many of its results exist.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 3.0


def main(tell: str, seconds: str, kill_after: str, dashes: str, *command: str) -> None:
    """Run, wait, look, tell."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    began = time.monotonic()
    process = subprocess.Popen(command)
    code = wait(process, began + float(seconds), int(kill_after), Path(command[command.index("--out") + 1]))
    lasted = time.monotonic() - began
    left = leftovers(time.monotonic() + PATIENCE)
    Path(tell).write_text(json.dumps({"code": code, "seconds": lasted, "left": left}))


def wait(process: subprocess.Popen[bytes], deadline: float, kill_after: int, results: Path) -> int:
    """The exit code; the command is killed at the deadline, or once so many results are there."""
    while process.poll() is None:
        enough = kill_after and len(list(results.glob("*.json"))) >= kill_after
        if enough or time.monotonic() > deadline:
            process.kill()
            break
        time.sleep(0.02)
    return process.wait()


def leftovers(deadline: float) -> list[str]:
    """The command lines of what still descends from this process at the deadline."""
    while descendants := sorted(descendants_of(os.getpid())):
        reap()
        if time.monotonic() > deadline:
            told = [command_line(pid) for pid in descendants]
            for pid in descendants:
                os.kill(pid, signal.SIGKILL)
            return [line for line in told if line]
        time.sleep(0.05)
    return []


def reap() -> None:
    """Bury children that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def descendants_of(root: int) -> set[int]:
    """All processes below one, by /proc."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            parents[int(entry)] = int(stat.rpartition(")")[2].split()[1])
    below: set[int] = set()
    grown = {root}
    while grown:
        grown = {pid for pid, parent in parents.items() if parent in grown} - below
        below |= grown
    return below


def command_line(pid: int) -> str:
    """What a process runs; empty if it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


if __name__ == "__main__":
    main(*sys.argv[1:])
