# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""equal.py FOLDER CXX COUNT: compiled chat templates write what transformers (jinja2) writes for random conversations, and refuse those that it refuses."""
import ctypes
import datetime
import json
import os
import subprocess
import sys

import conversations
import jinja2
import templates
from transformers.utils import chat_template_utils

NOW = datetime.datetime(2024, 7, 6, 13, 5, 9)


class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return NOW


class Variable(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("name_bytes", ctypes.c_size_t), ("text", ctypes.c_char_p), ("text_bytes", ctypes.c_size_t),
                ("is_json", ctypes.c_uint32)]


class Conversation(ctypes.Structure):
    _fields_ = [("messages", ctypes.c_void_p), ("message_count", ctypes.c_size_t), ("variables", ctypes.POINTER(Variable)),
                ("variable_count", ctypes.c_size_t), ("date", ctypes.POINTER(ctypes.c_int32)), ("flags", ctypes.c_uint32)]


def emitted(template, folder, cxx):
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/chat.jinja", "w", encoding="utf-8", newline="") as file:
        file.write(template)
    with open(f"{folder}/tokenizer.json", "w", encoding="utf-8") as file:
        json.dump({"model": {"type": "WordLevel", "vocab": {"a": 0}}}, file)
    subprocess.run(["sinter", "tokenizer", f"{folder}/tokenizer.json", "--chat-template", f"{folder}/chat.jinja", "-o", f"{folder}/tok.h"],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run([cxx, "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-fno-exceptions", "-shared", "-fPIC", f"{folder}/tok.cpp",
                    f"{folder}/tok_chat.cpp", "-o", f"{folder}/tok.so"], check=True)
    library = ctypes.CDLL(f"{folder}/tok.so")
    library.tok_chat_with.restype = ctypes.c_int64
    return library


def rendered(library, variables):
    """Count or status, and the text."""
    texts = [(name.encode(), json.dumps(value, ensure_ascii=False).encode()) for name, value in variables.items()]
    array = (Variable * len(texts))(*[Variable(name, len(name), text, len(text), 1) for name, text in texts])
    date = (ctypes.c_int32 * 6)(NOW.year, NOW.month, NOW.day, NOW.hour, NOW.minute, NOW.second)
    conversation = Conversation(None, 0, array, len(texts), date, 0)
    text = ctypes.create_string_buffer(1 << 18)
    count = library.tok_chat_with(ctypes.byref(conversation), text, ctypes.c_size_t(len(text)))
    return count, text.raw[:count].decode() if count >= 0 else text.value.decode(errors="replace")


def expected(template, variables):
    try:
        return chat_template_utils._compile_jinja_template(template).render(**variables)
    except (jinja2.TemplateError, TypeError, ValueError, IndexError) as problem:
        return problem


def main(folder, cxx, count):
    chat_template_utils.datetime = Clock
    problems, equal = [], 0
    for name, template in templates.TEMPLATES.items():
        library = emitted(template, f"{folder}/{name}", cxx)
        for seed in range(int(count)):
            variables = {"documents": None, **conversations.conversation(seed)}
            status, text = rendered(library, variables)
            wanted = expected(template, variables)
            if isinstance(wanted, Exception):
                isRaised = type(wanted) is jinja2.TemplateError
                isSame = status == -3 and text == str(wanted).split("\0")[0] if isRaised else status < 0
            else:
                isSame = text == wanted
                equal += isSame
            if not isSame:
                problems.append(f"{name} {seed}: {status} {text!r}, not {wanted!r}")
    print("\n".join(problems[:5]), f"{equal} texts are equal, {len(problems)} differ", sep="\n")
    sys.exit(bool(problems) or equal < int(count) * 6)


if __name__ == "__main__":
    main(*sys.argv[1:])
