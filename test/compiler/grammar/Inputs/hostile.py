# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile.py FOLDER: grammars and schemas of less than a MiB that would become too large are refused with the code that says so, in seconds and a bounded memory."""
import json
import resource
import subprocess
import sys


def names(count):
    return [f"{i:x}" for i in range(count)]


GRAMMARS = [
    ("\n".join(f"{'r%d' % i if i else 'root'} ::= {'(' * 60}r{i + 1}{')+?*+?*+?' * 60}" for i in range(700)) + '\nr700 ::= "x"', "E0823", "too large, or nested too deep"),
    ("\n".join(f"{'r%d' % i if i else 'root'} ::= {'(' * 60}r{i + 1}{')+' * 60}" for i in range(700)) + '\nr700 ::= "x"', "E0823", "nested too deep"),
    ("root ::= " + ". " * 45000, "E0823", "too large"),
]  # fmt: skip
SCHEMAS = [
    ({"type": "object", "properties": {name: {"type": "null"} for name in names(50000)}}, "E0823", ""),
    ({"type": "object", "properties": {name: {"type": "string"} for name in names(4000)}}, "E0823", "more states"),
    ({"type": "object", "properties": {name: {} for name in names(40000)}, "required": names(40000)}, "E0823", "too many parts"),
    ({"anyOf": [{"$ref": "#/$defs/p"}] * 15000, "$defs": {"p": {"type": "string", "pattern": "." * 3000}}}, "E0823", "too many parts"),
    ({"type": "string", "pattern": "." * 900000}, "E0822", "more parts than its automaton may have"), ({"type": ["string"] * 80000}, "", ""),
]  # fmt: skip


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))


def main(folder):
    tokenizer, path = f"{folder}/tokenizer.json", f"{folder}/text"
    with open(tokenizer, "w", encoding="utf-8") as file:
        file.write('{"model": {"type": "WordLevel", "vocab": {"a": 0}}}')
    cases = [("--grammar", *case) for case in GRAMMARS] + [("--json-schema", json.dumps(schema), code, words) for schema, code, words in SCHEMAS]
    for flag, text, code, words in cases:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        said = subprocess.run(["sinter", "tokenizer", tokenizer, flag, path], capture_output=True, text=True, preexec_fn=limited, check=False)
        if said.returncode != (2 if code else 0) or (code and f"[{code}]" not in said.stderr) or words not in said.stderr:
            sys.exit(f"{text[:200]}: {code} and {words!r} are expected, not {said}")


if __name__ == "__main__":
    main(sys.argv[1])
