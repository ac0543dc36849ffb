"""Runs a command under the system call filter of a unit, as systemd would: sandboxed.py UNIT COMMAND…

Taken from the unit: SystemCallFilter=, SystemCallErrorNumber=EPERM, MemoryDenyWriteExecute= and
RestrictAddressFamilies=. What the rest of the unit shuts off (files, devices, users) needs a systemd that runs.
"""

import errno
import os
import socket
import subprocess
import sys

import seccomp

PROT_WRITE, PROT_EXEC = 2, 4


def settings(unit):
    """Key and value of each line of the unit, in order."""
    with open(unit, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return [tuple(line.split("=", 1)) for line in lines if "=" in line and not line.startswith("#")]


def calls(name):
    """The system calls that a name of a SystemCallFilter= stands for, groups within groups included."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
    words = [line.strip() for line in listed.stdout.splitlines()[1:]]
    return set().union(*(calls(word) for word in words if word and not word.startswith("#")))


def allowed(filters):
    found = set()
    for value in filters:
        for name in value.lstrip("~").split():
            found = found - calls(name) if value.startswith("~") else found | calls(name)
    return found


unit, command = settings(sys.argv[1]), sys.argv[2:]
values = lambda key: [value for found, value in unit if found == key]  # noqa: E731
assert values("SystemCallErrorNumber") == ["EPERM"] and values("MemoryDenyWriteExecute") == ["yes"]
(families,) = values("RestrictAddressFamilies")
families = {getattr(socket, name) for name in families.split()}

rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
for call in sorted(allowed(values("SystemCallFilter"))):
    if call in ("mmap", "mprotect", "pkey_mprotect", "socket"):
        continue
    try:
        rules.add_rule(seccomp.ALLOW, call)
    except (RuntimeError, ValueError):
        pass    # a call of another machine, or one that this library does not know
rules.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(2, seccomp.MASKED_EQ, PROT_WRITE | PROT_EXEC, 0))
rules.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(2, seccomp.MASKED_EQ, PROT_WRITE | PROT_EXEC, PROT_WRITE))
rules.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(2, seccomp.MASKED_EQ, PROT_WRITE | PROT_EXEC, PROT_EXEC))
rules.add_rule(seccomp.ALLOW, "mprotect", seccomp.Arg(2, seccomp.MASKED_EQ, PROT_EXEC, 0))
for family in families:
    rules.add_rule(seccomp.ALLOW, "socket", seccomp.Arg(0, seccomp.EQ, int(family)))
rules.load()
os.execv(command[0], command)
