// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Storage of host tensors. Element types: element_kind.h.
#include "host_tensor.h"

#include "ir/dialect.h"

#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace mlir;
using namespace sinter;

int64_t sinter::countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (size < 0 || llvm::MulOverflow(count, size, count))
      return -1;
  return count;
}

SmallVector<int64_t, 6> sinter::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 6> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

HostTensor::HostTensor(Type elementType, ArrayRef<int64_t> shape)
    : elementType(elementType), dims(shape.begin(), shape.end()), count(countElements(shape)) {
  assert(count >= 0 && "sizes are checked before a tensor is made");
  elementKindOf = elementKind(elementType).value_or(ElementKind::I8);
  elementSize = static_cast<uint32_t>(elementBytes(elementKindOf));
}

HostTensor HostTensor::allocate(Type elementType, ArrayRef<int64_t> shape, std::shared_ptr<void> companion) {
  HostTensor tensor(elementType, shape);
  if (tensor.kind() == ElementKind::String)
    return ofStrings(elementType, shape, std::vector<std::string>(static_cast<size_t>(tensor.count)));
  // calloc: large tensors cost nothing until they are touched
  void *memory = std::calloc(std::max<size_t>(tensor.sizeInBytes(), 1), 1);
  if (!memory)
    llvm::report_bad_alloc_error("interpreter out of memory");
  tensor.owner = std::shared_ptr<const void>(memory, [companion = std::move(companion)](void *p) { std::free(p); });
  tensor.data = static_cast<const char *>(memory);
  tensor.owned = true;
  return tensor;
}

HostTensor HostTensor::view(Type elementType, ArrayRef<int64_t> shape, const void *bytes,
                            std::shared_ptr<const void> owner) {
  HostTensor tensor(elementType, shape);
  tensor.data = static_cast<const char *>(bytes);
  tensor.owner = std::move(owner);
  return tensor;
}

HostTensor HostTensor::fromBytes(Type elementType, ArrayRef<int64_t> shape, const void *bytes) {
  HostTensor tensor = allocate(elementType, shape);
  if (tensor.count)
    std::memcpy(tensor.mutableBytes(), bytes, tensor.sizeInBytes());
  return tensor;
}

HostTensor HostTensor::splat(Type elementType, ArrayRef<int64_t> shape, const void *element) {
  HostTensor single = fromBytes(elementType, {}, element);
  HostTensor tensor(elementType, shape);
  tensor.data = single.data;
  tensor.owner = single.owner;
  tensor.owned = true;
  tensor.splatted = tensor.count != 1;
  return tensor;
}

HostTensor HostTensor::ofStrings(Type elementType, ArrayRef<int64_t> shape, std::vector<std::string> strings) {
  HostTensor tensor(elementType, shape);
  assert(strings.size() == static_cast<size_t>(tensor.count));
  auto shared = std::make_shared<std::vector<std::string>>(std::move(strings));
  tensor.data = reinterpret_cast<const char *>(shared->data());
  tensor.owner = std::move(shared);
  tensor.owned = true;
  return tensor;
}

void HostTensor::expand() const {
  HostTensor full = allocate(elementType, dims);
  char *to = const_cast<char *>(full.data);
  for (int64_t i = 0; i < count; ++i, to += elementSize)
    std::memcpy(to, data, elementSize);
  data = full.data;
  owner = full.owner;
  splatted = false;
}

ArrayRef<std::string> HostTensor::strings() const {
  assert(kind() == ElementKind::String);
  return {reinterpret_cast<const std::string *>(data), static_cast<size_t>(count)};
}

MutableArrayRef<std::string> HostTensor::mutableStrings() {
  assert(kind() == ElementKind::String && owned);
  return {reinterpret_cast<std::string *>(const_cast<char *>(data)), static_cast<size_t>(count)};
}

HostTensor HostTensor::reshaped(ArrayRef<int64_t> shape) const {
  assert(countElements(shape) == count);
  HostTensor tensor = *this;
  tensor.dims.assign(shape.begin(), shape.end());
  return tensor;
}

HostTensor HostTensor::retyped(Type type) const {
  HostTensor tensor = *this;
  tensor.elementType = type;
  tensor.elementKindOf = elementKind(type).value_or(ElementKind::I8);
  assert(elementBytes(tensor.elementKindOf) == elementSize);
  return tensor;
}

HostTensor HostTensor::aligned() const {
  if (kind() == ElementKind::String || splatted || reinterpret_cast<uintptr_t>(data) % 16 == 0)
    return *this;
  return fromBytes(elementType, dims, data);
}

int64_t HostTensor::integerAt(int64_t i) const {
  bool isUnsigned = elementType.isUnsignedInteger();
  switch (kind()) {
  case ElementKind::I1:
    return at<uint8_t>(i) != 0;
  case ElementKind::I8:
    return isUnsigned ? at<uint8_t>(i) : at<int8_t>(i);
  case ElementKind::I16:
    return isUnsigned ? at<uint16_t>(i) : at<int16_t>(i);
  case ElementKind::I32:
    return isUnsigned ? static_cast<int64_t>(at<uint32_t>(i)) : at<int32_t>(i);
  case ElementKind::I64:
    return at<int64_t>(i);
  default:
    llvm_unreachable("not an integer tensor");
  }
}

double HostTensor::numberAt(int64_t i) const {
  if (isIntegerKind(kind()))
    return kind() == ElementKind::I64 && elementType.isUnsignedInteger() ? static_cast<double>(at<uint64_t>(i))
                                                                         : static_cast<double>(integerAt(i));
  double value;
  findConversion(kind(), ElementKind::F64, true)(data + (splatted ? 0 : i) * elementSize,
                                                 reinterpret_cast<char *>(&value), 1);
  return value;
}
