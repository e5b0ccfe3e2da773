# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# macros.py SINTER: asks the compilers of each target, gcc for it where there is one and clang, for the macros that they define.
import json
import shutil
import subprocess
import sys

sinter = sys.argv[1]


def target(name):
    answer = subprocess.run([sinter, "targets", name, "--json"], check=True, capture_output=True, text=True)
    return json.loads(answer.stdout)["targets"][0]


def defined(command, flags):
    text = subprocess.run([*command, *flags, "-dM", "-E", "-x", "c++", "/dev/null"], check=True, capture_output=True, text=True).stdout
    return {line.split()[1].split("(")[0] for line in text.splitlines()}


def check(spec):
    one = target(spec)
    commands = [["clang++-19", "--target=" + one["triple"]]]
    gcc = one["triple"] + "-g++"
    if shutil.which(gcc):
        commands.append([gcc])
    for command in commands:
        there = defined(command, one["flags"])
        missing, unexpected = set(one["macros"]) - there, set(one["absent_macros"]) & there
        assert not missing, f"{spec}: {command[0]} does not define {sorted(missing)}"
        assert not unexpected, f"{spec}: {command[0]} defines {sorted(unexpected)}"
    return len(one["macros"]) + len(one["absent_macros"])


looked_at = 0
every = json.loads(subprocess.run([sinter, "targets", "--json"], check=True, capture_output=True, text=True).stdout)["targets"]
for one in every:
    looked_at += check(one["name"])
    for feature in one["features"]:
        looked_at += check(one["name"] + "+" + feature["name"])
assert looked_at > 200, looked_at
print("macros looked at:", looked_at)
