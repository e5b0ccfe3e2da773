# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random conversations, many of them with text that means something to templates, JSON or C."""
import random

PIECES = ["Hello", " ", "\n", "\n\n", "  ", "\t", "é", "漢字", "\U0001F600", "\u00a0", "\u3000", "\u2028", "<think>", "</think>", "{{ x }}",
          "{% endfor %}", "{#", "\"", "'", "\\", "\\n", "<|im_end|>", "<tool_response>", "</tool_response>", "[/INST]", "%s", "\x00",
          "\x01", "\x1f", "\x7f", "\r\n", "0", "-1", "??/", "*/"]


def text(choose, longest=8):
    return "".join(choose.choice(PIECES) for _ in range(choose.randrange(longest)))


def value(choose, depth=0):
    kind = choose.randrange(7 if depth < 3 else 5)
    if kind < 5:
        return [None, True, choose.randrange(-9, 10**12), text(choose), ""][kind]
    if kind == 5:
        return [value(choose, depth + 1) for _ in range(choose.randrange(4))]
    return {text(choose, 3) + str(i): value(choose, depth + 1) for i in range(choose.randrange(4))}


def message(choose, role):
    made = {"role": role, "content": text(choose)}
    if role == "assistant" and choose.random() < 0.3:
        calls = [{"type": "function", "function": {"name": text(choose, 3), "arguments": {"a": value(choose)}}}
                 for _ in range(choose.randrange(1, 3))]
        made["tool_calls"] = calls
        if choose.random() < 0.5:
            made["content"] = None
    if role == "assistant" and choose.random() < 0.2:
        made["reasoning_content"] = text(choose)
    return made


def conversation(seed):
    """The variables of a template."""
    choose = random.Random(seed)
    roles = ["system"] * choose.randrange(2)
    for _ in range(choose.randrange(1, 5)):
        roles += ["user", "assistant"] if choose.random() < 0.7 else [choose.choice(["user", "assistant", "tool", "system", "other"])]
    made = {"messages": [message(choose, role) for role in roles], "bos_token": "<s>", "eos_token": "</s>"}
    made["add_generation_prompt"] = choose.random() < 0.5
    made["tools"] = None
    if choose.random() < 0.3:
        made["tools"] = [{"type": "function", "function": {"name": text(choose, 3), "parameters": {"p": value(choose)}, "return": 1}}
                         for _ in range(choose.randrange(1, 3))]
    if choose.random() < 0.3:
        made["enable_thinking"] = choose.random() < 0.5
    return made
