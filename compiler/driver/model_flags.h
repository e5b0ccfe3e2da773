// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags that say which model, and how far it is trusted: shared by all verbs that read one.
#pragma once

#include "driver/compile_model.h"
#include "driver/custom_ops.h"
#include "driver/flags.h"

namespace sinter {

struct ModelFlags {
  Flag<std::string> model{FlagTrait::Positional, FlagTrait::Required, Takes("MODEL.onnx")};
  FlagList dims{FlagGroup::Model, "dim",
                Says("the size of a symbolic dim, or its bounds, or what it is of others; * is all that are not named"),
                Takes("batch=1 | seq=1..128 | input:0=1..8 | total=past+seq | *=1")};
  FlagList externalRoots{FlagGroup::Model, "external-root",
                         Says("a folder that may hold external data besides the model's own"), Takes("folder")};
  Flag<std::string> expandLimit{FlagGroup::Model, "expand-limit",
                                Says("the most nodes that the model may have once its functions are expanded"),
                                Takes("nodes")};
  CustomOpsFlag customOps;
  Flag<std::string> dimsAs{"dims-as",
                           Says("how hints spell dims: as flags, add_onnx_library or the Python package have them"),
                           Takes("flags|cmake|python"), FlagTrait::Hidden};
  Flag<bool> strict{FlagGroup::Model, "strict",
                    Says("refuse what ONNX does not allow though it can be read: nodes in another order, operators of "
                         "other opsets, missing opsets")};
  Flag<bool> untrusted{FlagGroup::Model, "untrusted", Says("refuse what a stranger's model should not do")};

  /// Checks that there is such a file, and the dims; false after a message.
  bool toImport(CompileJob &job) const;
};

} // namespace sinter
