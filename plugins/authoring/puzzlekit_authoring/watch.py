"""A script for a fresh process: import modules and write the effects to a file."""

from __future__ import annotations

import importlib
import json
import os
import sys

CHANGES = (
    "os.mkdir",
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.chmod",
    "os.truncate",
    "os.utime",
    "shutil.rmtree",
    "tempfile.mkstemp",
    "tempfile.mkdtemp",
    "socket.connect",
    "subprocess.Popen",
    "os.system",
    "os.fork",
    "os.posix_spawn",
)
CODE = (".py", ".pyc", ".pth", ".so", ".pyd")
NEVER = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def main(path: list[str], names: list[str]) -> dict[str, object]:
    """Import modules with this `sys.path`. Return side effects, modules and the problem."""
    told: list[list[object]] = []
    sys.path[:] = path

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            opened, mode, flags = arguments
            known = str(opened).endswith(CODE) or str(opened).startswith(
                ("/proc/", "/sys/", "/dev/")
            )
            if not isinstance(flags, int) or flags & NEVER or not known:
                told.append([event, str(opened), str(mode), flags])
        elif event in CHANGES:
            told.append([event, str(arguments)])

    sys.addaudithook(watch)
    problem = ""
    for name in names:
        try:
            importlib.import_module(name)
        except (Exception, SystemExit) as error:
            problem = f"{type(error).__name__}: {error}"
            break
    done = list(told)
    return {"told": done, "modules": sorted(sys.modules), "problem": problem}


if __name__ == "__main__":
    found = main(*json.loads(sys.argv[1]))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(found, file)
