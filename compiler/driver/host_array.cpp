// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and single elements of host arrays.
#include "driver/host_array.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <array>
#include <cmath>
#include <cstring>

using namespace llvm;

namespace sinter {
namespace {
/// Bits of number i, zero-extended.
uint64_t bitsAt(const HostArray &array, int64_t i) {
  unsigned width = bitWidth(array.type);
  if (isComplex(array.type))
    width /= 2;
  if (array.type == ElementType::Bool || width == 6)
    width = 8;
  const char *data = array.bytes.data();
  if (width < 8) {
    int64_t perByte = 8 / width;
    uint8_t byte = static_cast<uint8_t>(data[i / perByte]);
    return (byte >> (i % perByte * width)) & ((1u << width) - 1);
  }
  uint64_t value = 0;
  std::memcpy(&value, data + i * (width / 8), width / 8);
  return value;
}

double decodeFloat(const fltSemantics &semantics, unsigned width, uint64_t bits) {
  APFloat value(semantics, APInt(width, bits));
  bool lossy;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToDouble();
}

/// E8M0 has no sign and no mantissa: powers of two from 2^-127, and NaN.
double decodeE8M0(uint64_t bits) { return bits == 255 ? std::nan("") : std::ldexp(1.0, static_cast<int>(bits) - 127); }

double decodeNarrow(ElementType type, uint64_t bits) {
  switch (type) {
  case ElementType::Float16:
    return decodeFloat(APFloat::IEEEhalf(), 16, bits);
  case ElementType::BFloat16:
    return decodeFloat(APFloat::BFloat(), 16, bits);
  case ElementType::Float8E4M3FN:
    return decodeFloat(APFloat::Float8E4M3FN(), 8, bits);
  case ElementType::Float8E4M3FNUZ:
    return decodeFloat(APFloat::Float8E4M3FNUZ(), 8, bits);
  case ElementType::Float8E5M2:
    return decodeFloat(APFloat::Float8E5M2(), 8, bits);
  case ElementType::Float8E5M2FNUZ:
    return decodeFloat(APFloat::Float8E5M2FNUZ(), 8, bits);
  case ElementType::Float4E2M1:
    return decodeFloat(APFloat::Float4E2M1FN(), 4, bits);
  case ElementType::Float6E2M3:
    return decodeFloat(APFloat::Float6E2M3FN(), 6, bits);
  case ElementType::Float6E3M2:
    return decodeFloat(APFloat::Float6E3M2FN(), 6, bits);
  default:
    return decodeE8M0(bits);
  }
}

int64_t signExtended(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}
} // namespace

int64_t HostArray::size() const {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

HostArray HostArray::zeros(ElementType type, ArrayRef<int64_t> dims) {
  HostArray array;
  array.type = type;
  array.dims.assign(dims.begin(), dims.end());
  if (type == ElementType::String)
    array.strings.resize(static_cast<size_t>(array.size()));
  else
    array.bytes.assign(bytesOf(type, array.size()), '\0');
  return array;
}

size_t bytesOf(ElementType type, int64_t count) {
  unsigned width = type == ElementType::Bool ? 8 : bitWidth(type);
  return (static_cast<size_t>(count) * (width == 6 ? 8 : width) + 7) / 8;
}

std::string describe(ElementType type, ArrayRef<int64_t> dims) {
  std::string text = elementTypeName(type).str() + "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? "," : "") + std::to_string(dims[i]);
  return text + "]";
}

int64_t numbersPerElement(ElementType type) { return isComplex(type) ? 2 : 1; }

double numberAt(const HostArray &array, int64_t i) {
  uint64_t bits = bitsAt(array, i);
  switch (array.type) {
  case ElementType::Float:
  case ElementType::Complex64:
    return static_cast<double>(llvm::bit_cast<float>(static_cast<uint32_t>(bits)));
  case ElementType::Double:
  case ElementType::Complex128:
    return llvm::bit_cast<double>(bits);
  case ElementType::Bool:
    return bits != 0;
  default:
    if (isFloat(array.type))
      return decodeNarrow(array.type, bits);
    if (isUnsignedInteger(array.type))
      return static_cast<double>(bits);
    return static_cast<double>(signExtended(bits, bitWidth(array.type)));
  }
}

int64_t orderedAt(const HostArray &array, int64_t i) {
  uint64_t bits = bitsAt(array, i);
  unsigned width = bitWidth(array.type) / static_cast<unsigned>(numbersPerElement(array.type));
  if (!isFloat(array.type) && !isComplex(array.type))
    return isInteger(array.type) && !isUnsignedInteger(array.type) ? signExtended(bits, width)
                                                                   : static_cast<int64_t>(bits);
  uint64_t sign = uint64_t(1) << (width - 1);
  auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

std::string unpacked(const HostArray &array) {
  unsigned width = bitWidth(array.type);
  if (width > 4 || array.type == ElementType::Bool)
    return array.bytes;
  std::string bytes;
  bool isSigned = array.type == ElementType::Int4 || array.type == ElementType::Int2;
  for (int64_t i = 0, n = array.size(); i < n; ++i) {
    uint64_t bits = bitsAt(array, i);
    bytes.push_back(static_cast<char>(isSigned ? signExtended(bits, width) : static_cast<int64_t>(bits)));
  }
  return bytes;
}

std::string packed(ElementType type, StringRef bytes) {
  unsigned width = bitWidth(type);
  if (width > 4 || type == ElementType::Bool)
    return bytes.str();
  size_t perByte = 8 / width;
  std::string out(bytesOf(type, static_cast<int64_t>(bytes.size())), '\0');
  for (size_t i = 0; i < bytes.size(); ++i)
    out[i / perByte] = static_cast<char>(out[i / perByte] | (bytes[i] & ((1 << width) - 1)) << (i % perByte * width));
  return out;
}

} // namespace sinter
