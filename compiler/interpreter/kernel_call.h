// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a file of kernels/ needs to call the template of its name as generated code does: params, views, and a C++ type
// for each element type. kernels/topk.cpp defines interpret_topk; the list of kernels is the list of files.
#pragma once

#include "engine.h"
#include "ir/template_call.h"
#include "runtime-lite/half.h"
#include "runtime-lite/view.h"

namespace sinter {

struct KernelCall {
  explicit KernelCall(TemplateCall call) : call(std::move(call)) {}
  TemplateCall call;
  std::vector<HostTensor> inputs, outputs; ///< aligned; outputs own their memory
  /// Per operand, inputs first: unsigned integers.
  bool isUnsigned(size_t operand) const { return call.isUnsigned(operand); }

  // Params, with the value-initialised member's value where the op has none.
  int64_t integer(mlir::StringRef name) const;
  bool flag(mlir::StringRef name) const;
  double real(mlir::StringRef name) const;
  const int64_t *integers(mlir::StringRef name) const;

  /// What a kernel answers that returns a status: true if it is 0.
  bool succeeds(int status) {
    refused = status != 0;
    return !refused;
  }
  bool refused = false;

  /// Integers of input i as int64: one type of index less to instantiate for.
  void widenIndices(size_t i);

  template <class T, int Rank>
  View<const T, Rank> in(size_t i) const {
    return view<const T, Rank>(inputs[i], inputs[i].bytes());
  }
  template <class T, int Rank>
  View<T, Rank> out(size_t i) {
    return view<T, Rank>(outputs[i], outputs[i].mutableBytes());
  }

private:
  template <class T, int Rank, class Bytes>
  static View<T, Rank> view(const HostTensor &tensor, Bytes bytes) {
    assert(tensor.rank() == Rank && sizeof(T) == tensor.bytesPerElement());
    View<T, Rank> result;
    result.data = reinterpret_cast<T *>(bytes);
    if constexpr (Rank > 0) {
      llvm::copy(tensor.shape(), result.sizes);
      llvm::copy(rowMajorStrides(tensor.shape()), result.strides);
    }
    return result;
  }
};

template <class T>
struct TypeTag {
  using Type = T;
};
template <int N>
struct RankTag {
  static constexpr int rank = N;
};

/// visit(TypeTag<T>) with the C++ type of generated code's views; false for types that kernels do not compute with.
template <class Visit>
bool withFloat(const HostTensor &tensor, Visit visit) {
  switch (tensor.kind()) {
  case ElementKind::F32:
    return visit(TypeTag<float>());
  case ElementKind::F64:
    return visit(TypeTag<double>());
  case ElementKind::F16:
    return visit(TypeTag<f16>());
  case ElementKind::BF16:
    return visit(TypeTag<bf16>());
  default:
    return false;
  }
}
template <class Visit>
bool withByte(const HostTensor &tensor, bool isUnsigned, Visit visit) {
  if (tensor.kind() != ElementKind::I8)
    return false;
  return isUnsigned ? visit(TypeTag<uint8_t>()) : visit(TypeTag<int8_t>());
}
template <class Visit>
bool withNumber(const HostTensor &tensor, bool isUnsigned, Visit visit) {
  switch (tensor.kind()) {
  case ElementKind::I8:
    return isUnsigned ? visit(TypeTag<uint8_t>()) : visit(TypeTag<int8_t>());
  case ElementKind::I16:
    return isUnsigned ? visit(TypeTag<uint16_t>()) : visit(TypeTag<int16_t>());
  case ElementKind::I32:
    return isUnsigned ? visit(TypeTag<uint32_t>()) : visit(TypeTag<int32_t>());
  case ElementKind::I64:
    return isUnsigned ? visit(TypeTag<uint64_t>()) : visit(TypeTag<int64_t>());
  default:
    return withFloat(tensor, visit);
  }
}
/// Also bool, and types that are moved but not computed with, as bytes.
template <class Visit>
bool withElement(const HostTensor &tensor, bool isUnsigned, Visit visit) {
  if (tensor.kind() == ElementKind::I1)
    return visit(TypeTag<bool>());
  if (isFloatKind(tensor.kind()) && tensor.bytesPerElement() == 1)
    return visit(TypeTag<uint8_t>());
  return withNumber(tensor, isUnsigned, visit);
}
/// visit(RankTag<R>) for First <= rank <= Last.
template <int First, int Last, class Visit>
bool withRank(int64_t rank, Visit visit) {
  if constexpr (First > Last) {
    return false;
  } else {
    if (rank == First)
      return visit(RankTag<First>());
    return withRank<First + 1, Last>(rank, visit);
  }
}

using KernelFn = bool (*)(KernelCall &);
/// Null for kernels that the interpreter does not know.
KernelFn findKernel(mlir::StringRef name);

} // namespace sinter
