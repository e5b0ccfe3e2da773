# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ThreadSanitizer over threads.cpp: two models and two calls of one model at the same time, and one whose work a pool shares; over pool.cpp: that pool."""
import os

import common

given = common.arguments()
folder = common.generate(given, common.digits(), "sources", "--prefix", "first")
common.generate(given, common.digits(), "sources", "--prefix", "second")
common.generate(given, common.from_text(given, "wide"), "sources", "--prefix", "wide", "--threads", "4")
flags = ("-O1", "-g", "-fsanitize=thread")
objects = common.each(lambda prefix: common.build(common.clang(), folder, prefix + ".o", *flags, prefix=prefix), ("first", "second", "wide"))
program = os.path.join(folder, "program")


def check(source, *further):
    common.run(common.clang(), "-std=c++17", *flags, "-I", folder, "-I", common.ROOT, "-I", os.path.join(common.ROOT, "samples/pool"),
               os.path.join(common.HERE, source), *further, "-o", program, "-pthread")
    common.run(program, env=dict(os.environ, TSAN_OPTIONS="halt_on_error=1"))


check("threads.cpp", *objects)
check("pool.cpp")
check("pool.cpp", "-DSINTER_POOL_STANDARD_THREADS")
