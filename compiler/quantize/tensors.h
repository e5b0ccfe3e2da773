// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorProto to numbers and back.
#pragma once

#include "onnx-ml.pb.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace sinter::quantize {

/// Floats with a shape: weights here, values when a model runs.
struct FloatTensor {
  std::vector<int64_t> dims;
  std::vector<float> values;
};

/// A float32 tensor's elements; none for other types, where data and dims disagree, or in another file.
std::optional<FloatTensor> floatsOf(const onnx::TensorProto &tensor);
std::vector<float> floatsIn(llvm::StringRef raw);
/// An integer tensor's elements (int64, int32); none for other types, or in another file.
std::optional<std::vector<int64_t>> integersOf(const onnx::TensorProto &tensor);

onnx::TensorProto floatTensor(llvm::StringRef name, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<float> values);
onnx::TensorProto int64Tensor(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
/// `bytes` in raw_data's form.
onnx::TensorProto rawTensor(llvm::StringRef name, int type, llvm::ArrayRef<int64_t> dims, std::string bytes);

/// The product of `dims`.
int64_t elementsOf(llvm::ArrayRef<int64_t> dims);

/// How a tensor lies around one axis: element (o, c, i) is at (o * channels + c) * inner + i.
struct Axis {
  int64_t outer, channels, inner;
};
Axis axisOf(llvm::ArrayRef<int64_t> dims, int64_t axis);

} // namespace sinter::quantize
