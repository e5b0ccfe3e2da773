// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between a model's floats and the integers that its program takes and gives (--io quantized): files and onnxruntime
// have the floats.
#pragma once

#include "driver/model_program.h"

namespace sinter {

/// The integers that stand for a float array, as QuantizeLinear makes them. What is no float, or for a tensor that is
/// not quantized, stays as it is.
HostArray quantized(HostArray array, const TensorInfo &tensor);
/// The reverse, as DequantizeLinear has it.
HostArray dequantized(HostArray array, const TensorInfo &tensor);
/// Reads a tensor's file; of a quantized one, floats or the integers.
std::optional<HostArray> readTensor(llvm::StringRef path, const TensorInfo &tensor, llvm::ArrayRef<int64_t> dims,
                                    std::string &problem);
/// Each of them, in the order of `tensors`.
std::vector<HostArray> dequantized(llvm::ArrayRef<HostArray> arrays, llvm::ArrayRef<TensorInfo> tensors);

} // namespace sinter
