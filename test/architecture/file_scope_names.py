#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are names of file scope (anonymous namespaces, static functions and constants, macros) unique within a library of the compiler? A unity build
(SINTER_UNITY, cmake/SinterUnity.cmake) compiles several files of a library as one: there two helpers of one name meet. Aliases may be repeated
where they mean the same."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = ("compiler/driver", "compiler/frontend", "compiler/custom", "compiler/quantize", "compiler", "codegen")  # the first that a path begins with
PROGRAM = re.compile(r"compiler/driver/(main|sinter_[a-z]*|runner/.*)\.cpp")  # compiler/driver/CMakeLists.txt
LEXEME = re.compile(
    r'//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/|R"([^\s()\\]{0,16})\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\''
    r"|(?:(?<=\n)|\A)[ \t]*#(?:[^\n\\]|\\.|\\\n)*|\d(?:[\w.]|'\w)*|\w+|::|->|\S", re.DOTALL)
WORD = re.compile(r"[A-Za-z_]\w*\Z")
TYPE = {"struct", "class", "union", "enum"}
CLOSE = {"(": ")", "{": "}", "[": "]"}


class Name:
    """A name that a file keeps to itself: where it stands, and what may be repeated (an alias' text) or None."""

    def __init__(self, text, line, alias=None):
        self.text, self.line, self.alias = text, line, alias


def lexemes(text):
    """Tokens with their lines; comments are gone, strings are `"`, a macro's definition is `#NAME`."""
    line, end = 1, 0
    for found in LEXEME.finditer(text):
        line += text.count("\n", end, found.start())
        end = found.start()
        word = found.group()
        if word.startswith(("//", "/*")):
            continue
        if word.lstrip().startswith("#"):
            directive = re.match(r"\s*#\s*(define|undef)\s+(\w+)", word)
            if directive:
                yield ("#" if directive[1] == "define" else "~") + directive[2], line
        else:
            yield ('"' if word[-1] in "\"'" else word), line


def past(tokens, at):
    """Behind the bracket that closes the one at `at`."""
    close, depth, opened = CLOSE[tokens[at][0]], 0, tokens[at][0]
    while at < len(tokens):
        depth += (tokens[at][0] == opened) - (tokens[at][0] == close)
        at += 1
        if depth == 0:
            break
    return at


def past_angles(tokens, at):
    """Behind the template parameters or arguments that `<` at `at` opens; `at` + 1 where it is an operator."""
    start, depth = at, 0
    while at < len(tokens) and tokens[at][0] not in (";", "{", "}"):
        token = tokens[at][0]
        if token in CLOSE:
            at = past(tokens, at)
            continue
        depth += (token == "<") - (token == ">")
        at += 1
        if depth == 0:
            return at
    return start + 1


def declaration(tokens, at):
    """A declaration at namespace scope, from `at` on: its tokens of the outermost level (brackets closed up to one token), and where the next begins."""
    outer = []
    while at < len(tokens):
        token = tokens[at][0]
        if token == ";":
            return outer, at + 1
        if token == "{":
            words = [word for word, _ in outer]
            outer.append(("{}", tokens[at][1]))
            body = tokens[at + 1:(at := past(tokens, at)) - 1]
            if words and words[0] == "enum" and "class" not in words and "struct" not in words:
                outer += [("enumerators", 0), *body]
            if "()" in words and "=" not in words and words[0] not in TYPE:
                return outer, at
        elif token in CLOSE:
            outer.append((token + CLOSE[token], tokens[at][1]))
            at = past(tokens, at)
        elif token == "<" and outer and (WORD.match(outer[-1][0])):
            end = past_angles(tokens, at)
            if outer[-1][0] == "template":
                outer.pop()
            elif end == at + 1:
                outer.append(tokens[at])
            else:
                outer.append(("<>", tokens[at][1]))
            at = end
        else:
            outer.append(tokens[at])
            at += 1
    return outer, at


def names_of(outer, own, texts):
    """What a declaration declares for its file alone; `own`: in an anonymous namespace."""
    words = [word for word, _ in outer]
    if not words or "operator" in words or words[0] in ("friend", "static_assert", "extern") or "using" in words and "namespace" in words:
        return
    specifiers = set(words[:4])
    own = own or "static" in specifiers
    if words[0] == "using":
        if own and "=" in words:
            yield Name(words[1], outer[1][1], texts)
        return
    if words[0] in TYPE and "()" not in words[:words.index("{}")] if "{}" in words else words[0] in TYPE and len(words) < 5:
        named = [i for i, word in enumerate(words) if WORD.match(word) and word not in TYPE and word not in ("final", "alignas")]
        if own and named and "<>" not in words[:3]:
            yield Name(words[named[0]], outer[named[0]][1])
        if own and "enumerators" in words:
            begin = words.index("enumerators")
            fresh = True
            for word, line in outer[begin + 1:]:
                if fresh and WORD.match(word):
                    yield Name(word, line)
                fresh = word == ","
        return
    end = next((i for i, word in enumerate(words) if word in ("()", "=", "[]", "{}")), len(words))
    if end == 0 or not WORD.match(words[end - 1]) or end > 1 and words[end - 2] == "::":
        return
    isConstant = end < len(words) and words[end] != "()" and specifiers & {"constexpr", "const"}
    if (own or isConstant) and end > 1:
        yield Name(words[end - 1], outer[end - 1][1])
        for before, (word, line), after in zip(words[end:], outer[end + 1:], [*words[end + 2:], ";"]) if isConstant else ():
            if before == "," and WORD.match(word) and after in ("=", "[]", "{}", ";"):
                yield Name(word, line)


def file_scope(text):
    """The names that a file keeps to itself."""
    tokens = list(lexemes(text))
    macros = {}
    for word, line in tokens:
        if word[0] == "#":
            macros.setdefault(word[1:], line)
        elif word[0] == "~" and len(word) > 1:
            macros.pop(word[1:], None)
    yield from (Name(name, line) for name, line in macros.items())
    tokens = [token for token in tokens if token[0][0] not in "#" and not (token[0][0] == "~" and len(token[0]) > 1)]
    at, scopes = 0, []
    while at < len(tokens):
        word = tokens[at][0]
        if word == "}":
            if scopes:
                scopes.pop()
            at += 1
        elif word == "namespace" or word == "inline" and tokens[at + 1][0] == "namespace":
            start = at
            while tokens[at][0] not in ("{", ";"):
                at += 1
            if tokens[at][0] == "{":
                scopes.append(any(scopes) or at == start + 1)
            at += 1
        elif word == "extern" and tokens[at + 1][0] == '"' and tokens[at + 2][0] == "{":
            scopes.append(any(scopes))
            at += 3
        else:
            outer, end = declaration(tokens, at)
            yield from names_of(outer, any(scopes), " ".join(token for token, _ in tokens[at:end]))
            at = max(end, at + 1)


def libraries():
    """Files by library, those of programs apart."""
    found = collections.defaultdict(list)
    for folder in ("compiler", "codegen"):
        for file in sorted((ROOT / folder).rglob("*.cpp")):
            path = file.relative_to(ROOT).as_posix()
            if not PROGRAM.match(path):
                found[next(name for name in LIBRARIES if path.startswith(name + "/"))].append(file)
    return found


def main():
    problems = []
    for library, files in libraries().items():
        seen = collections.defaultdict(dict)  # name -> file -> Name
        for file in files:
            for name in file_scope(file.read_text()):
                seen[name.text].setdefault(file, name)
        for text, places in sorted(seen.items()):
            if len(places) > 1 and len({name.alias or file for file, name in places.items()}) > 1:
                where = ", ".join(f"{file.relative_to(ROOT)}:{name.line}" for file, name in places.items())
                problems.append(f"{library}: {text} is of {len(places)} files: {where}")
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
