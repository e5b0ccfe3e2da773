// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors in files: numpy's .npy, ONNX's TensorProto (.pb), and plain bytes. Formats: npy.cpp, tensor_proto.cpp.
#pragma once

#include "driver/host_array.h"

#include <optional>

namespace sinter {

/// Parses .npy bytes. numpy has no name for bfloat16 and the 8- and 4-bit floats ("|V2", "|V1"): `expected` then says
/// what they are.
std::optional<HostArray> parseNpy(llvm::StringRef bytes, ElementType expected, std::string &problem);
std::string toNpy(const HostArray &array);

/// Parses a serialized TensorProto.
std::optional<HostArray> parseTensorProto(llvm::StringRef bytes, std::string &problem);

/// Reads a file by its ending: .npy, .pb, anything else as raw bytes of the expected type and shape. The result's type
/// must be the expected one (Undefined: anything goes).
std::optional<HostArray> readTensorFile(llvm::StringRef path, ElementType expected,
                                        llvm::ArrayRef<int64_t> expectedDims, std::string &problem);

} // namespace sinter
