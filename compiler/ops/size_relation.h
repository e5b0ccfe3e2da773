// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether sizes relate as they must, known now or tested in each call.
#pragma once

#include "lowering.h"

namespace sinter {

/// A relation between sizes: known to hold, known not to, or a condition (an i1) of run time.
struct Holds {
  enum Kind { Yes, No, AtRunTime } kind;
  mlir::Value condition = nullptr;
};

/// `relation`: = != < <= > >=
Holds relationHolds(const Tensors &t, llvm::StringRef relation, Size a, Size b);
/// One of them holds.
Holds either(const Tensors &t, Holds a, Holds b);
Holds both(const Tensors &t, Holds a, Holds b);

/// A condition (a tensor of one element) that sizes decide, and the same way for all of them within their bounds, or
/// that the path says on which the node stands.
std::optional<bool> knownTruth(const Op &op, Tensor condition);

/// The sizes are equal, or one of them is 1.
Holds broadcasts(const Tensors &t, Size a, Size b);

/// The call ends with status 3 unless `condition` holds (cf.assert): before anything else where only dims of the inputs
/// decide, and the builder's place is one that each call passes.
void require(const Tensors &t, mlir::Value condition, llvm::StringRef why);
/// As `require`, and in front of all that could write where the condition forbids it: as soon as the sizes that decide
/// are there.
void requireEarly(const Tensors &t, mlir::Value condition, llvm::StringRef why);
/// What a lowering asks of sizes that its operator's rule cannot say: reported with `problem` where it is known not to
/// hold, tested in each call where it is not known.
mlir::LogicalResult mustHold(const Op &op, const Holds &holds, const llvm::Twine &problem);
/// That two sizes broadcast, unless an assertion that is passed before says so.
mlir::LogicalResult mustBroadcast(const Op &op, Size a, Size b, const llvm::Twine &problem);
mlir::LogicalResult mustBeEqual(const Op &op, Size a, Size b, const llvm::Twine &problem);

} // namespace sinter
