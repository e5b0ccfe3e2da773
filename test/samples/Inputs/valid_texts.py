#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""valid_texts.py SCHEMA|object COUNT PROGRAM WORD...: is what the program writes for each seed, which is the word @, JSON that the schema allows?"""
import json
import subprocess
import sys

from jsonschema import Draft202012Validator

name, count, *command = sys.argv[1:]
schema = {"type": "object"}
if name != "object":
    with open(name, encoding="utf-8") as file:
        schema = json.load(file)
texts = set()
for seed in range(int(count)):
    done = subprocess.run([str(seed) if word == "@" else word for word in command], capture_output=True, check=True)
    text = done.stdout.decode()
    Draft202012Validator(schema).validate(json.loads(text))
    texts.add(text)
assert len(texts) > int(count) // 2, f"only {len(texts)} different texts"
