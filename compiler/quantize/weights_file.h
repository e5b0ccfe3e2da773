// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file beside a model that its larger initializers go to. Those that lay in other files are copied piece by piece,
// so that never more than one of them is in memory.
#pragma once

#include "quantize/outside_weights.h"

#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace sinter::quantize {

class WeightsFile {
public:
  /// Initializers of fewer bytes are part of the model.
  static constexpr uint64_t least = 1024;

  /// Moves the others out of `model`, to the file `name` beside it. `outside`: where those lie that are in no message.
  /// None after a report.
  static std::optional<WeightsFile> of(onnx::ModelProto &model, llvm::StringRef name,
                                       std::shared_ptr<OutsideWeights> outside, Diagnostics &diagnostics);

  /// Moves those that are part of the message; others stay where they are.
  static WeightsFile ofMessage(onnx::ModelProto &model, llvm::StringRef name);

  uint64_t bytes() const { return end; }
  void write(llvm::raw_ostream &out) const;

private:
  struct Piece {
    uint64_t offset;
    std::string own;
    llvm::StringRef elsewhere; ///< in place of `own`
    llvm::StringRef bytes() const { return own.empty() ? elsewhere : llvm::StringRef(own); }
  };
  /// Puts `piece`, which are the tensor's bytes, behind the others.
  void add(onnx::TensorProto &tensor, llvm::StringRef name, Piece piece);
  bool take(onnx::TensorProto &tensor, Piece &piece, Diagnostics &diagnostics);

  std::shared_ptr<OutsideWeights> outside;
  std::vector<Piece> pieces;
  uint64_t end = 0;
};

} // namespace sinter::quantize
