// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor as `run`, `verify` and `bench` handle it: elements exactly as the C ABI lays them out. Reading and writing
// of files: tensor_file.h; comparing: compare.h.
#pragma once

#include "ir/element_type.h"

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

struct HostArray {
  std::string name;
  ElementType type = ElementType::Undefined;
  std::vector<int64_t> dims;
  std::string
      bytes; ///< row major; bool and float6 a byte each, 4- and 2-bit types packed low bits first; empty for strings
  std::vector<std::string> strings; ///< of a string tensor

  int64_t size() const;
  /// A zeroed array of that type and shape.
  static HostArray zeros(ElementType type, llvm::ArrayRef<int64_t> dims);
};

/// Bytes that `count` elements take.
size_t bytesOf(ElementType type, int64_t count);
/// "float[1,3,224,224]"
std::string describe(ElementType type, llvm::ArrayRef<int64_t> dims);

/// Numbers per element: 2 for complex types, else 1.
int64_t numbersPerElement(ElementType type);
/// Number i of the array (element i, or its halves in turn for complex types), exactly where a double can hold it. Not
/// for strings.
double numberAt(const HostArray &array, int64_t i);
/// Number i as an integer whose difference counts representable values between two numbers (ULP); for integer types,
/// the value.
int64_t orderedAt(const HostArray &array, int64_t i);

/// Unpacked bytes of a 4- or 2-bit array, one element each, signed types sign-extended; other arrays' bytes as they
/// are.
std::string unpacked(const HostArray &array);
/// The reverse: low bits of each byte, packed.
std::string packed(ElementType type, llvm::StringRef bytes);

} // namespace sinter
