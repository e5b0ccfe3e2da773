// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor on the host: what the interpreter computes with and what weights look like from outside the IR. To and from
// attributes: attributes.cpp.
#pragma once

#include "element_kind.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace sinter {

/// A handle: copies share the data. Elements are row major and contiguous; a splat holds one element until somebody
/// asks for all bytes. Data may be a view of the model's file and is then at any alignment: read through at<T>() or
/// memcpy.
class HostTensor {
public:
  HostTensor() = default;

  /// Zeroed, owned memory. `release` runs when the last handle goes.
  static HostTensor allocate(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                             std::shared_ptr<void> companion = nullptr);
  /// A view; `owner` keeps the bytes alive (null: they live as long as the MLIR context).
  static HostTensor view(mlir::Type elementType, llvm::ArrayRef<int64_t> shape, const void *bytes,
                         std::shared_ptr<const void> owner = nullptr);
  static HostTensor fromBytes(mlir::Type elementType, llvm::ArrayRef<int64_t> shape, const void *bytes);
  /// Every element is the one at `element`.
  static HostTensor splat(mlir::Type elementType, llvm::ArrayRef<int64_t> shape, const void *element);
  static HostTensor ofStrings(mlir::Type elementType, llvm::ArrayRef<int64_t> shape, std::vector<std::string> strings);
  /// A scalar is a tensor of rank 0.
  template <class T>
  static HostTensor scalar(mlir::Type elementType, T value) {
    HostTensor tensor = allocate(elementType, {});
    std::memcpy(tensor.mutableBytes(), &value, tensor.bytesPerElement());
    return tensor;
  }

  mlir::Type getElementType() const { return elementType; }
  ElementKind kind() const { return elementKindOf; }
  llvm::ArrayRef<int64_t> shape() const { return dims; }
  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  /// Number of elements.
  int64_t size() const { return count; }
  size_t bytesPerElement() const { return elementSize; }
  size_t sizeInBytes() const { return static_cast<size_t>(count) * elementSize; }
  bool isSplat() const { return splatted; }
  mlir::RankedTensorType type() const { return mlir::RankedTensorType::get(dims, elementType); }

  /// All elements; a splat is expanded on the first call. Not for strings.
  const char *bytes() const {
    if (splatted)
      expand();
    return data;
  }
  /// One element if isSplat(), else all.
  const char *storedBytes() const { return data; }
  /// Element i, whose storage is a T (f16 as uint16_t, i1 as uint8_t ...).
  template <class T>
  T at(int64_t i) const {
    T value;
    std::memcpy(&value, data + (splatted ? 0 : i) * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return value;
  }
  /// An integer element of any width, as its type reads (ui: unsigned; i1: 0 or 1; otherwise signed).
  int64_t integerAt(int64_t i) const;
  /// A float or integer element of any width.
  double numberAt(int64_t i) const;
  llvm::ArrayRef<std::string> strings() const;

  /// For whoever just allocated it: no other handle exists yet.
  char *mutableBytes() { return const_cast<char *>(bytes()); }
  llvm::MutableArrayRef<std::string> mutableStrings();
  bool isUnique() const { return owned && owner.use_count() == 1; }
  /// False for views of bytes that somebody else holds.
  bool ownsMemory() const { return owned; }

  /// The same elements in another shape of equal size, or read as another element type of the same width.
  HostTensor reshaped(llvm::ArrayRef<int64_t> shape) const;
  HostTensor retyped(mlir::Type elementType) const;
  /// The same tensor with data aligned for its element type.
  HostTensor aligned() const;

private:
  HostTensor(mlir::Type elementType, llvm::ArrayRef<int64_t> shape);
  void expand() const;

  mlir::Type elementType;
  llvm::SmallVector<int64_t, 6> dims;
  int64_t count = 0;
  uint32_t elementSize = 0;
  ElementKind elementKindOf = ElementKind::I8;
  bool owned = false;
  mutable bool splatted = false;
  mutable const char *data = nullptr;
  mutable std::shared_ptr<const void> owner;
};

/// Product of a shape's sizes, or -1 when it overflows or a size is negative.
int64_t countElements(llvm::ArrayRef<int64_t> shape);
/// Row-major strides in elements.
llvm::SmallVector<int64_t, 6> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

} // namespace sinter
