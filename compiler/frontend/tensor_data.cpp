// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a tensor's type and dims against the budgets, then makes the attribute that holds it. Finding its bytes:
// tensor_bytes.cpp.
#include "frontend/tensor_data.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace llvm;
using namespace mlir;

namespace sinter {
namespace {
constexpr size_t denseLimit = 1024;

/// Element `index` of sub-byte elements packed low bits first.
uint8_t unpacked(StringRef bytes, uint64_t index, unsigned bits) {
  unsigned perByte = 8 / bits;
  return static_cast<uint8_t>(bytes[index / perByte]) >> (index % perByte * bits) & ((1u << bits) - 1);
}

/// Whether all elements are equal: the bytes equal themselves shifted by one element.
bool isSplat(StringRef bytes, ElementType element, uint64_t count) {
  unsigned bits = element == ElementType::Bool ? 8 : bitWidth(element);
  if (bits % 8 == 0) {
    size_t width = bits / 8;
    return bytes.size() <= width || std::memcmp(bytes.data(), bytes.data() + width, bytes.size() - width) == 0;
  }
  if (bits == 6) // only ever small, and never a dense attribute
    return false;
  uint8_t first = unpacked(bytes, 0, bits);
  return all_of(seq<uint64_t>(0, count), [&](uint64_t i) { return unpacked(bytes, i, bits) == first; });
}

/// A dense attribute of the first `count` elements: of all, or of one for a splat.
DenseElementsAttr dense(RankedTensorType type, ElementType element, StringRef bytes, uint64_t count) {
  if (element == ElementType::Bool) {
    SmallVector<bool> values;
    for (char c : bytes.take_front(count))
      values.push_back(c != 0);
    return DenseElementsAttr::get(type, values);
  }
  unsigned bits = bitWidth(element);
  if (bits % 8 == 0)
    return DenseElementsAttr::getFromRawBuffer(type, ArrayRef(bytes.data(), count * (bits / 8)));
  SmallVector<char> values;
  for (uint64_t i = 0; i < count; ++i)
    values.push_back(static_cast<char>(unpacked(bytes, i, bits)));
  return DenseElementsAttr::getFromRawBuffer(type, values);
}

/// Types that MLIR's dense attributes can hold.
bool fitsDense(Type element) { return isa<IntegerType, FloatType, ComplexType>(element); }

/// MLIR prints a resource's key as it is and reads back only identifiers; equal keys are numbered by the context.
std::string resourceKey(StringRef name) {
  std::string key = name.empty() || isDigit(name[0]) ? "_" : "";
  for (char c : name.take_front(256))
    key += isAlnum(c) || c == '.' ? c : '_';
  return key;
}
} // namespace

std::string quoted(StringRef name) {
  constexpr size_t limit = 4096;
  if (name.size() <= limit)
    return ("'" + name + "'").str();
  return ("'" + name.take_front(limit) + "...'").str();
}

ElementType elementTypeOfCode(int64_t code) {
  return code > 0 && code <= static_cast<int>(lastElementType) ? static_cast<ElementType>(code)
                                                               : ElementType::Undefined;
}

std::optional<uint64_t> checkedElements(ImportState &state, ArrayRef<int64_t> dims, const Twine &what,
                                        const ModelPlace &place) {
  const Limits &limits = state.options.limits;
  if (dims.size() > limits.rank) {
    state.report(Code::RankTooLarge, what + " has rank " + Twine(dims.size()) + "; the limit is " + Twine(limits.rank),
                 place);
    return std::nullopt;
  }
  uint64_t elements = 1;
  bool empty = is_contained(dims, 0);
  for (int64_t dim : dims) {
    if (dim < 0) {
      state.report(Code::InvalidTensor, what + " has the negative dim " + Twine(dim), place);
      return std::nullopt;
    }
    auto product = checkedMulUnsigned(elements, static_cast<uint64_t>(empty ? 1 : dim));
    if (!product || *product > limits.elements || static_cast<uint64_t>(dim) > limits.elements) {
      state.report(Code::TooManyElements, what + " has more than " + Twine(limits.elements) + " elements", place);
      return std::nullopt;
    }
    elements = *product;
  }
  return empty ? 0 : elements;
}

ElementsAttr makeElements(RankedTensorType type, ElementType element, TensorBytes data, StringRef name) {
  if (element == ElementType::String)
    return DenseStringElementsAttr::get(type, data.strings);
  uint64_t count = static_cast<uint64_t>(type.getNumElements());
  if (fitsDense(type.getElementType())) {
    if (count > 0 && isSplat(data.bytes, element, count))
      return dense(type, element, data.bytes, 1);
    if (data.bytes.size() <= denseLimit)
      return dense(type, element, data.bytes, count);
  }
  ArrayRef<char> bytes(data.bytes.data(), data.bytes.size());
  auto blob = UnmanagedAsmResourceBlob::allocateWithAlign(
      bytes, 1, [owner = std::move(data.owner)](void *, size_t, size_t) mutable { owner.reset(); });
  return DenseResourceElementsAttr::get(type, resourceKey(name), std::move(blob));
}

ElementsAttr readTensor(ImportState &state, const onnx::TensorProto &tensor, const Twine &what,
                        const ModelPlace &place) {
  auto known = state.tensors.find(&tensor);
  if (known != state.tensors.end())
    return known->second;
  ElementsAttr &result = state.tensors[&tensor];
  ElementType element = elementTypeOfCode(tensor.data_type());
  if (element == ElementType::Undefined) {
    state.report(Code::InvalidType,
                 what + " has the element type " + Twine(tensor.data_type()) + ", which ONNX does not define", place);
    return {};
  }
  SmallVector<int64_t> dims(tensor.dims().begin(), tensor.dims().end());
  auto elements = checkedElements(state, dims, what, place);
  if (!elements)
    return {};
  auto data = readTensorBytes(state, tensor, element, *elements, what, place);
  if (!data)
    return {};
  auto type = RankedTensorType::get(dims, nodeType(element, state.context));
  return result = makeElements(type, element, std::move(*data), tensor.name());
}

} // namespace sinter
