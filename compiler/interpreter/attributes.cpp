// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes to host tensors and back. Resources are viewed in place, at any alignment; packed 2- and 4-bit elements
// become bytes.
#include "interpreter.h"

#include "ir/dialect.h"
#include "movement.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Width in bits of an element in TensorProto.raw_data where elements are packed; 0 elsewhere.
unsigned packedBits(Type type) {
  if (isa<Float4E2M1Type>(type))
    return 4;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && (integer.getWidth() == 2 || integer.getWidth() == 4) ? integer.getWidth() : 0;
}

HostTensor unpack(ArrayRef<char> bytes, unsigned bits, bool isSigned, Type elementType, ArrayRef<int64_t> shape) {
  HostTensor tensor = HostTensor::allocate(elementType, shape);
  char *to = tensor.mutableBytes();
  unsigned perByte = 8 / bits, shift = 8 - bits;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    auto byte = static_cast<uint8_t>(bytes[i / perByte]);
    auto high =
        static_cast<uint8_t>(byte << (shift - bits * (i % perByte))); // the element's bits on top, then down again
    to[i] = isSigned ? static_cast<char>(static_cast<int8_t>(high) >> shift) : static_cast<char>(high >> shift);
  }
  return tensor;
}

/// Writes an integer into an element of up to 8 bytes. Little endian hosts.
HostTensor integerScalar(Type elementType, const APInt &value, bool isSigned) {
  uint64_t bits =
      isSigned && value.getBitWidth() > 1 ? static_cast<uint64_t>(value.getSExtValue()) : value.getZExtValue();
  return HostTensor::scalar(elementType, bits);
}

std::optional<HostTensor> scalarOf(Attribute attribute, Type elementType) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    std::optional<ElementKind> kind = elementKind(elementType);
    if (!kind || !isIntegerKind(*kind))
      return std::nullopt;
    return integerScalar(elementType, integer.getValue(), !integer.getType().isUnsignedInteger());
  }
  if (auto real = dyn_cast<FloatAttr>(attribute)) {
    APInt bits = real.getValue().bitcastToAPInt();
    std::optional<ElementKind> kind = elementKind(elementType);
    if (!kind || bits.getBitWidth() != 8 * elementBytes(*kind))
      return std::nullopt;
    return HostTensor::scalar(elementType, bits.getZExtValue());
  }
  if (auto text = dyn_cast<StringAttr>(attribute))
    return HostTensor::ofStrings(elementType, {}, {text.getValue().str()});
  if (auto parts = dyn_cast<ArrayAttr>(attribute); parts && parts.size() == 2 && isa<ComplexType>(elementType)) {
    Type part = cast<ComplexType>(elementType).getElementType();
    std::optional<HostTensor> re = scalarOf(parts[0], part), im = scalarOf(parts[1], part);
    if (!re || !im)
      return std::nullopt;
    char both[16];
    std::memcpy(both, re->bytes(), re->bytesPerElement());
    std::memcpy(both + re->bytesPerElement(), im->bytes(), im->bytesPerElement());
    return HostTensor::fromBytes(elementType, {}, both);
  }
  return std::nullopt;
}

std::optional<HostTensor> fromDense(DenseElementsAttr dense, Type elementType) {
  ArrayRef<int64_t> shape = dense.getType().getShape();
  Type attributeType = dense.getElementType();
  if (auto strings = dyn_cast<DenseStringElementsAttr>(dense)) {
    std::vector<std::string> values;
    ArrayRef<StringRef> raw = strings.getRawStringData();
    for (int64_t i = 0, n = dense.getNumElements(); i < n; ++i)
      values.push_back(raw[dense.isSplat() ? 0 : i].str());
    return HostTensor::ofStrings(elementType, shape, std::move(values));
  }
  std::optional<ElementKind> kind = elementKind(elementType);
  if (!kind || elementKind(attributeType) != kind)
    return std::nullopt;
  bool subByte = attributeType.isInteger() && attributeType.getIntOrFloatBitWidth() < 8;
  if (!dense.isSplat() && !subByte)
    return HostTensor::view(elementType, shape, dense.getRawData().data());
  if (!dense.isSplat()) {
    HostTensor tensor = HostTensor::allocate(elementType, shape);
    char *to = tensor.mutableBytes();
    bool isSigned = !attributeType.isUnsignedInteger() && attributeType.getIntOrFloatBitWidth() > 1;
    for (const APInt &value : dense.getValues<APInt>())
      *to++ = static_cast<char>(isSigned ? value.getSExtValue() : static_cast<int64_t>(value.getZExtValue()));
    return tensor;
  }
  if (!subByte)
    return HostTensor::splat(elementType, shape, dense.getRawData().data());
  HostTensor element = integerScalar(elementType, dense.getSplatValue<APInt>(), !attributeType.isUnsignedInteger());
  return HostTensor::splat(elementType, shape, element.bytes());
}

std::optional<HostTensor> fromResource(DenseResourceElementsAttr resource, Type elementType) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  std::optional<ElementKind> kind = elementKind(elementType);
  auto type = resource.getType();
  if (!blob || !kind || !type.hasStaticShape())
    return std::nullopt;
  ArrayRef<char> data = blob->getData();
  int64_t count = countElements(type.getShape());
  if (count < 0)
    return std::nullopt;
  if (unsigned bits = packedBits(type.getElementType())) {
    if (elementBytes(*kind) != 1 || data.size() < llvm::divideCeil(static_cast<uint64_t>(count), 8 / bits))
      return std::nullopt;
    return unpack(data, bits, type.getElementType().isSignedInteger() || type.getElementType().isSignlessInteger(),
                  elementType, type.getShape());
  }
  if (data.size() != static_cast<uint64_t>(count) * elementBytes(*kind))
    return std::nullopt;
  return HostTensor::view(elementType, type.getShape(), data.data());
}

} // namespace

std::optional<HostTensor> sinter::fromAttribute(Attribute attribute, Type elementType) {
  if (!elementKind(elementType))
    return std::nullopt;
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return fromDense(dense, elementType);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
    return fromResource(resource, elementType);
  return scalarOf(attribute, elementType);
}

Attribute sinter::toAttribute(const HostTensor &tensor, RankedTensorType type) {
  assert(type.hasStaticShape() && ArrayRef(type.getShape()) == tensor.shape() && "the type states the tensor's shape");
  if (tensor.kind() == ElementKind::String) {
    SmallVector<StringRef> texts(tensor.strings().begin(), tensor.strings().end());
    return DenseStringElementsAttr::get(type, texts);
  }
  Type element = type.getElementType();
  bool subByte = element.isInteger() && element.getIntOrFloatBitWidth() < 8;
  bool isFloat4 = packedBits(element) && !element.isInteger();
  constexpr size_t smallBytes = 1024;
  if (element.isIntOrIndexOrFloat() || isa<ComplexType>(element)) {
    if (subByte && (tensor.isSplat() || tensor.sizeInBytes() <= smallBytes)) {
      SmallVector<APInt> values;
      for (int64_t i = 0, n = tensor.isSplat() ? 1 : tensor.size(); i < n; ++i)
        values.push_back(APInt(element.getIntOrFloatBitWidth(), static_cast<uint64_t>(tensor.integerAt(i)), true));
      return DenseElementsAttr::get(type, values);
    }
    ArrayRef<char> stored(tensor.storedBytes(), tensor.isSplat() ? tensor.bytesPerElement() : tensor.sizeInBytes());
    if (!subByte && (tensor.isSplat() || stored.size() <= smallBytes))
      return DenseElementsAttr::getFromRawBuffer(type, stored);
  }
  assert(!isFloat4 && "float4 weights stay as the model has them");
  (void)isFloat4;
  // the resource keeps a handle: no copy
  auto keeper = std::make_shared<HostTensor>(tensor);
  ArrayRef<char> bytes(keeper->bytes(), keeper->sizeInBytes());
  AsmResourceBlob blob(bytes, 1, [keeper](void *, size_t, size_t) mutable { keeper.reset(); }, /*dataIsMutable=*/false);
  auto &manager = DenseResourceElementsHandle::getManagerInterface(type.getContext());
  return DenseResourceElementsAttr::get(type, manager.insert("folded", std::move(blob)));
}
