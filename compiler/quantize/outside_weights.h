// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights that stay in the files beside a model while it is changed: initializers whose message says where their bytes
// lie. They are read where they lie, so that a model may have more of them than memory. Written again by model_files.h.
#pragma once

#include "diagnostics/diagnostics.h"
#include "frontend/external_data.h"

#include "onnx-ml.pb.h"

namespace sinter::quantize {

class OutsideWeights {
public:
  /// As ExternalData takes them.
  OutsideWeights(llvm::StringRef folder, llvm::ArrayRef<std::string> roots, bool untrusted)
      : external(folder, roots, untrusted) {}

  static bool has(const onnx::TensorProto &tensor) { return tensor.data_location() == onnx::TensorProto::EXTERNAL; }
  /// Bytes of a tensor in raw_data's form; none on overflow or for a type that this program does not know.
  static std::optional<uint64_t> sizeOf(const onnx::TensorProto &tensor);
  /// The bytes of such a tensor in raw_data's form. They stay good as long as this does. None: `problem` says why.
  std::optional<llvm::StringRef> read(const onnx::TensorProto &tensor, Problem &problem);
  std::optional<llvm::StringRef> read(const onnx::TensorProto &tensor);
  /// Brings the bytes into the message. False after a report.
  bool embed(onnx::TensorProto &tensor, Diagnostics &diagnostics);
  /// Memory of what was read counts as the program's until this is called.
  void release() const;
  /// Paths of the files that were read.
  std::vector<std::string> paths() const;

private:
  ExternalData external;
};

} // namespace sinter::quantize
