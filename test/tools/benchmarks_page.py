# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# docs/benchmarks.md, whose tables scripts write between two marks.
import os
import re

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/benchmarks.md")


def write_table(begin, end, lines):
    """Replaces what stands between the marks, which stay."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    table = begin + "\n".join(lines) + "\n" + end
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: table, page, flags=re.S))
