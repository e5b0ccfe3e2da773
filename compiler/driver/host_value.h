// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences, maps and optionals of the interface: as files and onnxruntime have them, and as the parts that the C ABI
// takes and gives (docs/output-format.md).
#pragma once

#include "driver/model_program.h"

namespace sinter {

struct HostValue {
  enum Kind { Tensor, Sequence, Map } kind = Tensor;
  bool isPresent = true;
  std::vector<HostArray> tensors = {}; ///< the elements, the one tensor, or a map's keys and its values
};

/// Parses a serialized SequenceProto, MapProto or OptionalProto (value_proto.cpp), or, of an optional that is there,
/// what it holds.
std::optional<HostValue> parseValueProto(llvm::StringRef bytes, bool isOptional, HostValue::Kind kind,
                                         std::string &problem);

/// The tensors that are one value: one, or its parts, which follow each other.
llvm::SmallVector<llvm::ArrayRef<TensorInfo>> valuesOf(llvm::ArrayRef<TensorInfo> tensors);
/// Whether these are the parts of a value that is no tensor.
bool isStructure(llvm::ArrayRef<TensorInfo> parts);

/// The arrays of the parts. What holds no value is 0, and a size behind the last of an element -1.
std::optional<std::vector<HostArray>> toParts(const HostValue &value, llvm::ArrayRef<TensorInfo> parts,
                                              std::string &problem);
/// The same for what a program gave, where anything may stand in such places.
void clearUnread(llvm::MutableArrayRef<HostArray> arrays, llvm::ArrayRef<TensorInfo> tensors);
/// Reads a file: a TensorProto's or one of these.
std::optional<std::vector<HostArray>> readValue(llvm::StringRef path, llvm::ArrayRef<TensorInfo> parts,
                                                std::string &problem);
/// A made-up value, of the largest sizes, and as long as the seed says. Of a map's keys each is there once.
std::vector<HostArray> madeUpParts(llvm::ArrayRef<TensorInfo> parts, llvm::ArrayRef<HostArray> numbers, uint64_t seed);

} // namespace sinter
