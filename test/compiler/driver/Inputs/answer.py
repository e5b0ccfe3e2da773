# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""answer.py ROW COMMAND...: runs a command with --json. Its stdout must be one object that has the members of all verbs, and of its own no others than
docs/json.md names in that row. Prints the own members, then status and codes of problems."""
import json
import os
import re
import subprocess
import sys

row, *command = sys.argv[1:]
page = os.path.join(os.path.dirname(__file__), "../../../../docs/json.md")
rows = dict(line.strip("| \n").split(" | ", 1) for line in open(page, encoding="utf-8") if line.startswith("| "))
named = set(re.findall(r"`(\w+)`", rows[row] + (rows[row.split(" ")[0]] if "--layers" in row or "--labels" in row or "--against" in row else "")))
common = {"version", "verb", "status", "problems", "notes"}
result = subprocess.run([*command, "--json"], stdout=subprocess.PIPE, text=True)
answer = json.loads(result.stdout)
assert common <= set(answer), answer
assert answer["version"] == 1 and answer["status"] == result.returncode and answer["verb"] == row.split(" ")[0], answer


def members(value):
    """Of all objects inside, but for those whose keys are names."""
    for key, inner in value.items():
        if key in ("report", "opsets", "problems", "losses", "values") or (key == "weights" and row == "analyze"):
            yield key
            continue
        yield key
        for each in inner if isinstance(inner, list) else [inner]:
            if isinstance(each, dict):
                yield from members(each)


unknown = set(members(answer)) - common - named
assert not unknown, f"docs/json.md does not name {sorted(unknown)} in the row {row}"
print(*sorted(set(answer) - common), "|", answer["status"], *[problem.get("code", problem["message"]) for problem in answer["problems"]])
