# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sources and reports are the same bytes again: compiled twice, from another folder, with the model at another path."""
import filecmp
import os
import shutil

import common

given = common.arguments()


def check(model):
    first = common.generate(given, model, "first/" + model.name)
    other = os.path.join(given.work, "another folder", model.name)
    os.makedirs(other)
    shutil.copyfile(model.path, os.path.join(other, "renamed.onnx"))
    common.run(given.sinter, "renamed.onnx", "-o", "out", "--prefix", "m", *model.flags, cwd=other)
    second = os.path.join(other, "out")
    names = sorted(os.listdir(first))
    if names != sorted(os.listdir(second)):
        common.fail(f"{model.name}: {names} and {sorted(os.listdir(second))}")
    different = [name for name in names if not filecmp.cmp(os.path.join(first, name), os.path.join(second, name), shallow=False)]
    if different:
        common.fail(f"{model.name}: {different} differ between {first} and {second}")


common.each(check, common.models(given))
