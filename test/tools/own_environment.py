# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Scripts that need packages which no stage of scripts/setup installs go on in an environment of their own, made at the first call.
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def go_on_in(name: str, packages: list[str]) -> None:
    """The same script with the same arguments in build/<name>, which has these packages."""
    place = ROOT / "build" / name
    python, made = place / "bin/python", place / "made.txt"
    if not made.is_file() or made.read_text() != "\n".join(packages):
        print(f"installing {', '.join(packages)} into {place}", flush=True)
        venv.create(place, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        made.write_text("\n".join(packages))
    if Path(sys.prefix).resolve() != place.resolve():
        os.execv(python, [str(python), *sys.argv])
