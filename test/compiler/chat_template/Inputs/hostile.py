# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile.py FOLDER COUNT: templates that are wrong or too large get the message that says so; those that are changed at random end with source or with a message."""
import random
import resource
import subprocess
import sys

import templates

CASES = [
    ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "E0833", "nested deeper"), ("{% if a %}" * 3000, "E0833", "nested deeper"),
    ("{{ 1" + "+1" * 5000 + " }}", "E0833", "500 operators"), ("{{ a" + "|trim" * 5000 + " }}", "E0833", "500 operators"), ("a" * (1 << 21), "E0833", "bytes"),
    ("{% macro f(" + ",".join(f"a{i}" for i in range(100000)) + ") %}{% endmacro %}", "E0833", "1024 parameters"),
    ("{% macro f(" + ",".join(f"a{i}" for i in range(1000)) + ") %}{% endmacro %}" + "{{ f(a999=1) }}" * 20000, "E0833", "too much code"),
    ("{{ namespace(" + ",".join(f"a{i}=1" for i in range(60000)) + ", a0=1) }}", "E0831", "given twice"),
    ("{% for x in y %}" + "".join(f"{{% set a{i} = 1 %}}" for i in range(40000)) + "{% endfor %}", "E0833", "too many variables"),
    ("\n\n{{ a", "E0831", "line 3: a tag {{ has no end"), ("{#", "E0831", "a comment"), ("{{ 'a", "E0831", "a string"), ("{{ (1] }}", "E0831", "closes nothing"),
    ("{{ a[ }}", "E0831", "a bracket [ has no end"), ("{% endfor %}", "E0831", "'endfor'"), ("{% if a %}", "E0831", "'endif' is missing for the block of line 1"),
    ("{% for x in y %}\n{% endif %}", "E0831", "line 2"), ("{{ }}", "E0831", "a value"), ("{{ a b }}", "E0831", "not 'b'"), ("{{ a[1:2:3:4] }}", "E0831", "three parts"),
    ("{% break %}", "E0831", "outside of a loop"), ("{{ f() }}{% macro f() %}{% endmacro %}", "E0831", "before it is defined"), ("{{ 'a'|replace('b') }}", "E0831", "too few"),
    ("{% import 'a' %}", "E0832", "'import'"), ("{{ a | foo }}", "E0832", "the filter 'foo'"), ("{{ a is foo }}", "E0832", "the test 'foo'"), ("{{ f(1) }}", "E0832", "the function 'f'"),
    ("{{ a.foo() }}", "E0832", "the method 'foo'"), ("{{ a.items }}", "E0832", "without a call"), ("{{ a.__class__ }}", "E0832", "'__class__'"), ("{{ 1.5 }}", "E0832", "fraction"),
    ("{{ 2 ** 3 }}", "E0832", "**"), ("{{ 1 < 2 < 3 }}", "E0832", "in a row"), ("{{ loop }}", "E0832", "'loop' as a value"), ("{{ namespace(1) }}", "E0832", "without a name"),
    ("{% for a in b recursive %}{% endfor %}", "E0832", "recursive"), ("{% set a, b = c %}", "E0832", "several variables"),
    ("{% if a %}{% macro f() %}{% endmacro %}{% endif %}", "E0832", "inside of another block"), ("{{ m | tojson(2) }}", "E0832", "'tojson'"),
    ("{% for i in x %}{% set y %}{% break %}{% endset %}{% endfor %}", "E0832", "inside of 'set'"),
]


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))


def said(folder, template):
    path = f"{folder}/hostile.jinja"
    with open(path, "wb") as file:
        file.write(template)
    run = subprocess.run(["sinter", "tokenizer", f"{folder}/tokenizer.json", "--chat-template", path, "-o", f"{folder}/out/tok.h"], capture_output=True,
                         preexec_fn=limits, check=False)
    return run.returncode, run.stderr.decode(errors="replace")


def main(folder, count):
    with open(f"{folder}/tokenizer.json", "w", encoding="utf-8") as file:
        file.write('{"model": {"type": "WordLevel", "vocab": {"a": 0}}}')
    for template, code, message in CASES:
        status, text = said(folder, template.encode())
        if status <= 0 or f"[{code}]" not in text or message not in text:
            sys.exit(f"{template[:80]!r}: {code} and {message!r} are expected, not {status}: {text}")
    choose = random.Random(1)
    for _ in range(int(count)):
        text = bytearray(choose.choice(list(templates.TEMPLATES.values())).encode())
        for _ in range(choose.randrange(1, 5)):
            at = choose.randrange(len(text))
            if choose.random() < 0.5:
                del text[at:at + choose.randrange(1, 12)]
            else:
                text[at] = choose.randrange(256)
        status, message = said(folder, bytes(text))
        if status < 0 or (status > 0 and "[E083" not in message):
            sys.exit(f"{bytes(text)!r}: {status}, {message}")


if __name__ == "__main__":
    main(*sys.argv[1:])
