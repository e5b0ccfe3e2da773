#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is all that comes out under a grammar valid? Random logits under schemas and expressions, with tokens of one byte and of several: what ends must parse,
and jsonschema or re must agree. Each token that is allowed is tried against the grammar byte by byte too, and so is each that is not."""
import ctypes as c
import json
import re
import sys

import numpy as np
from jsonschema import Draft202012Validator

import chosen

SCHEMAS = [
    {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}, "age": {"type": "integer"}, "tags": {"type": "array", "items": {"enum": ["a", "é", 3, None]}, "maxItems": 3}}, "required": ["name"]},
    {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "boolean"}, "c": {"type": "null"}}},
    {"type": "array", "items": {"type": ["number", "null"]}, "minItems": 2, "maxItems": 4},
    {"$defs": {"tree": {"type": "object", "properties": {"v": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}, "maxItems": 2}}, "required": ["v"], "additionalProperties": False}}, "$ref": "#/$defs/tree"},
    {"anyOf": [{"type": "string", "pattern": "^[A-Z][a-z]{2,5}(-\\d+)?$"}, {"const": {"x": [1, 2.5, "q\"\\"]}}]},
    {"type": "string", "pattern": "^([é-ü]+\"|\\\\x|a.)"},
    {"type": "object", "additionalProperties": {"type": "integer"}},
    {"type": "object", "properties": {"any": True, "next": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}}, "required": ["next"]},
    {"type": "string", "minLength": 2, "maxLength": 3},
    {"enum": ["yes", "no", 17], "type": "string"},
    True,
]
EXPRESSIONS = [r"(ab|a)*c{2,3}", r"[^\x00-\x7f]{1,3}", r"\d{4}-(0[1-9]|1[0-2])-\d\d", r"(?:x[yz]?)+|\w+@\w+\.(com|org)", "[α-ω]+|😀?", r"\s*[-+]?\d+(\.\d+)?"]
JSON = r"""root ::= object
value ::= object | array | string | number | ("true" | "false" | "null") ws
object ::= "{" ws (string ":" ws value ("," ws string ":" ws value)*)? "}" ws
array ::= "[" ws (value ("," ws value)*)? "]" ws
string ::= "\"" ([^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-cA-C] [0-9a-fA-F]{3}))* "\"" ws
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws
ws ::= | " " | "\n" [ \t]{0,20}"""
REFUSED = [
    ("{", "no JSON"), ('{"type": "strin"}', "no such type"), ('{"type": "integer", "minimum": 3}', "minimum is not supported"),
    ('{"$ref": "#/$defs/x"}', "refers to nothing"), ('{"oneOf": []}', "oneOf is not supported"), ('{"type": "array", "maxItems": 5000}', "above 2000"),
    ('{"type": "array", "minItems": 3, "maxItems": 2}', "is below"), ('{"enum": []}', "no text satisfies"), ("[" * 5000, "nested too deep"),
    ('{"type": "array", "items": {"$ref": "#"}, "minItems": 1}', "no text satisfies"), ('{"$ref": "#"}', "no text satisfies"),
    ('{"type": "string", "pattern": "a(?=b)"}', "look-around"), ('{"type": "string", "pattern": "(a"}', "a ) is missing"),
    ('{"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "array", "items": true}]}', ""),
    ('{"type": "array", "items": {"type": "array", "minItems": 1999, "items": {"type": "string", "minLength": 1999}}, "minItems": 1999}', "more states"),
    ('{"type": "object", "required": ["a"]}', "not stated"), ('{"type": "string", "pattern": "\\\\1"}', "back reference"),
]
ALPHABET = [bytes([byte]) for byte in range(256)]
LONGER = [b'{"', b'"}', b'": ', b'", "', b"null", b"true", b"12", b"[1", b"],", b"\xc3\xa9", b"e-", b"]}", b'"},{"', b"name", b'"name":"', b"}}}", b"]]]]", b'{"v":1,"kids":[', b"ab", b"cc", b"2024-", b"\\u00", b'\\"', b""]
TOKENS = ALPHABET + LONGER
EOS = len(TOKENS) - 1
RUNS = 40


def compile_text(library, text, form):
    problem = c.create_string_buffer(300)
    states = library.grammar_compile(text.encode(), form, problem, 300)
    return states, problem.value.decode()


def mask_of(library, budget=0):
    mask = np.zeros((len(TOKENS) + 31) // 32, np.uint32)
    assert library.grammar_mask(mask.ctypes.data_as(c.c_void_p), len(TOKENS), EOS, budget), "a mask that was kept is another one"
    return np.unpackbits(mask.view(np.uint8), bitorder="little")[: len(TOKENS)].astype(bool)


def take(library, token):
    return library.grammar_take(token, c.c_size_t(len(token)))


def generate(library, numbers, is_checked, most=400):
    """A text of random choices, which ends where it may with a growing chance. With fewer tokens it ends all the same."""
    library.grammar_begin()
    text, said = b"", []
    for step in range(most):
        allowed = mask_of(library, 0 if most == 400 else most - step)
        assert allowed.any(), f"nothing may follow {text!r}"
        assert allowed[EOS] == library.grammar_complete()
        if is_checked and step < 12:
            for id in [*numbers.integers(0, len(TOKENS), 20), *range(256, EOS)]:
                library.grammar_begin()
                for one in said:
                    assert take(library, one)
                fits = bool(TOKENS[id]) and take(library, TOKENS[id])
                if id != EOS:
                    assert bool(fits) == allowed[id], (text, TOKENS[id])
            library.grammar_begin()
            for one in said:
                take(library, one)
        logits = numbers.standard_normal(len(TOKENS))
        logits[[ord(one) for one in '"]}']] += 2 + step / 20  # so that strings and lists end
        logits[EOS] += step / 3
        logits[~allowed] = -np.inf
        id = int(np.argmax(logits))
        if id == EOS:
            return text
        assert take(library, TOKENS[id])
        text += TOKENS[id]
        said.append(TOKENS[id])
    return text if library.grammar_complete() else None


def main():
    library = c.CDLL(sys.argv[1])
    ends = np.cumsum([len(token) for token in TOKENS]).tolist()
    library.grammar_vocabulary(b"".join(TOKENS), chosen.array(ends), len(TOKENS))
    numbers = np.random.default_rng(3)
    ended = 0
    for schema in SCHEMAS:
        states, problem = compile_text(library, json.dumps(schema), 1)
        assert states > 0, (schema, problem)
        validator = Draft202012Validator(schema)
        texts = [generate(library, numbers, run == 0) for run in range(RUNS)]
        for text in filter(None, texts):
            errors = [error.message for error in validator.iter_errors(json.loads(text.decode()))]
            assert not errors, (schema, text, errors)
        done = sum(text is not None for text in texts)
        assert done >= RUNS // 4, (schema, done)
        ended += done
        for _ in range(RUNS):  # 60 bytes complete each of them
            text = generate(library, numbers, False, 60)
            assert text is not None and validator.is_valid(json.loads(text.decode())), (schema, text)
    states, problem = compile_text(library, JSON, 2)
    assert states > 0, problem
    for run in range(RUNS):
        text = generate(library, numbers, run == 0, 90)
        assert isinstance(json.loads(text.decode()), dict), text
        ended += 1
    for expression in EXPRESSIONS:
        states, problem = compile_text(library, expression, 0)
        assert states > 0, (expression, problem)
        for run in range(RUNS):
            text = generate(library, numbers, run == 0)
            assert text is None or re.fullmatch(expression, text.decode(), re.ASCII), (expression, text)
            ended += text is not None
    for text, expected in REFUSED:
        states, problem = compile_text(library, text, 1)
        assert states < 0 and expected in problem, (text[:90], states, problem)
    print(f"{ended} texts ended and are valid, {len(REFUSED)} schemas were refused")


if __name__ == "__main__":
    main()
