// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --input and --output: the caller's form of a tensor, where it is another than the model's. A camera gives bytes,
// channels last, blue first; a net wants floats, normalized. Nodes at the edges of node IR make one of the other, so
// that all that follows knows nothing of it.
#pragma once

#include "ir/element_type.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>
#include <vector>

namespace sinter {

enum class Layout { AsModel, ChannelsFirst, ChannelsLast };

/// What the caller gives: the model takes (value - mean) * scale.
struct InputForm {
  std::string name;
  ElementType type = ElementType::Undefined; ///< Undefined: the model's
  Layout layout = Layout::AsModel;
  bool isReversed = false;         ///< the first three channels come in the other order: blue, green, red
  std::vector<double> mean, scale; ///< one for all, or one for each of the model's channels, in the model's order
};

/// What the caller gets.
struct OutputForm {
  enum class Kind { Values, ArgMax, TopK };
  std::string name;
  Kind kind = Kind::Values;
  int64_t count = 0; ///< TopK: how many; a second output, NAME_indices, says where they were
  Layout layout = Layout::AsModel;
  bool isBytes = false; ///< rounded and limited to 0 .. 255
  double scale = 1;     ///< before that
};

/// Gives @main's input or output of that name its form, and notes it (`sinter.form`). What cannot be, in words; nothing
/// if all is well. Layouts: the dim of channels of a model is its second one, or the last where only that is 1, 3 or 4.
std::optional<std::string> applyForm(mlir::func::FuncOp main, const InputForm &form);
std::optional<std::string> applyForm(mlir::func::FuncOp main, const OutputForm &form);

/// The dim of channels by that rule.
int64_t channelDim(mlir::RankedTensorType type);

} // namespace sinter
