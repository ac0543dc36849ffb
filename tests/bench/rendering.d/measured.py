#!/usr/bin/env python3
"""Runs a command and measures it with all its descendants; prints JSON:

  measured.py COMMAND [ARGUMENT]…

  status   the exit status
  wall     seconds until the command itself ended
  cpu      CPU-seconds of all processes
  exact    whether the kernel has added these up (`account`), or samples of /proc have
  own      CPU-seconds of the command's own process
  memory   peak of the memory of all processes in bytes: proportional set sizes, sampled every half second

What wait4() reports is not enough: the sandbox of Chromium is a PID namespace, and where it is killed, the kernel reaps
its processes without adding their times to anyone's."""
import ctypes
import json
import os
import sys
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
TICK = os.sysconf("SC_CLK_TCK")
GROUPS = Path("/sys/fs/cgroup")
INTERVAL = 0.5


def account():
    """A new control group that counts CPU time, with the function that reads it; None where none may be made."""
    name = f"mapwright-bench-{os.getpid()}"
    for place in [GROUPS / "cpuacct", GROUPS / "cpu,cpuacct", GROUPS, GROUPS / "unified"]:
        group = place / name
        try:
            group.mkdir()
        except OSError:
            continue
        for file, read in [("cpuacct.usage", lambda text: int(text) / 1e9),
                           ("cpu.stat", lambda text: int(text.split()[1]) / 1e6)]:
            if os.access(group / file, os.R_OK) and os.access(group / "cgroup.procs", os.W_OK):
                return group, lambda: read((group / file).read_text())
        group.rmdir()
    return None


def stat(process):
    """The parent and the CPU-seconds of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1]), (int(fields[11]) + int(fields[12])) / TICK


def descendants():
    """The processes below this one, with their CPU-seconds."""
    parents, seconds = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(name)], seconds[int(name)] = stat(name)
        except (OSError, IndexError):
            continue    # it has ended
    found, new = set(), {os.getpid()}
    while new:
        new = {process for process, parent in parents.items() if parent in new}
        found |= new
    return {process: seconds[process] for process in found}


def memory(processes):
    total = 0
    for process in processes:
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
        except (OSError, StopIteration):
            continue
    return total


def main():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    counted, sampled, peak, began = account(), {}, 0, time.monotonic()
    child = os.fork()
    if child == 0:
        if counted:
            (counted[0] / "cgroup.procs").write_text(str(os.getpid()))
        os.execvp(sys.argv[1], sys.argv[1:])
    # The process stays in /proc until it is waited for: then its times are complete.
    while not os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG):
        seconds = descendants()
        sampled.update(seconds)
        peak = max(peak, memory(seconds))
        # Short at first and long later, so that a short run is timed well too.
        time.sleep(min(INTERVAL, 0.02 + (time.monotonic() - began) / 20))
    wall, own, status = time.monotonic() - began, stat(child)[1], None
    sampled[child] = own
    while True:
        try:
            process, code = os.wait()
        except ChildProcessError:
            break
        if process == child:
            status = os.waitstatus_to_exitcode(code)
    # The processes of a sandbox may end a little after the one that held them.
    while counted and (counted[0] / "cgroup.procs").read_text():
        time.sleep(0.01)
    cpu = counted[1]() if counted else sum(sampled.values())
    if counted:
        counted[0].rmdir()
    print(json.dumps({"status": status, "wall": wall, "cpu": cpu, "exact": bool(counted), "own": own, "memory": peak}))


main()
