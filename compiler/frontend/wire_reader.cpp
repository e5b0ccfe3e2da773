// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// protobuf's wire format, field by field: https://protobuf.dev/programming-guides/encoding. Every length is checked
// against what is left.
#include "frontend/wire.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace sinter::wire {

std::optional<uint64_t> Reader::varint() {
  uint64_t value = 0;
  for (unsigned i = 0; i < 10; ++i) {
    if (i >= rest.size())
      return fail();
    auto byte = static_cast<uint8_t>(rest[i]);
    value |= uint64_t(byte & 0x7f) << (7 * i); // bits above the 64th are dropped, as protobuf does
    if (byte < 0x80) {
      rest = rest.drop_front(i + 1);
      return value;
    }
  }
  return fail();
}

bool Reader::payload(Field &field) {
  size_t width = field.type == Fixed64 ? 8 : 4;
  switch (field.type) {
  case Varint: {
    auto value = varint();
    field.value = value.value_or(0);
    return value.has_value();
  }
  case Fixed64:
  case Fixed32:
    if (rest.size() < width)
      return false;
    field.value = width == 8 ? support::endian::read64le(rest.data()) : support::endian::read32le(rest.data());
    rest = rest.drop_front(width);
    return true;
  case Bytes: {
    auto size = varint();
    if (!size || *size > rest.size())
      return false;
    field.bytes = rest.take_front(*size);
    rest = rest.drop_front(*size);
    return true;
  }
  }
  return false;
}

/// Iterative, so that nesting costs no stack. Protobuf refuses more than 100 levels; so do we.
bool Reader::skipGroup(uint32_t number) {
  SmallVector<uint32_t, 8> open{number};
  while (!open.empty()) {
    auto tag = varint();
    if (!tag)
      return false;
    Field field;
    auto inner = static_cast<uint32_t>(*tag >> 3);
    switch (*tag & 7) {
    case 3:
      if (open.size() >= 100)
        return false;
      open.push_back(inner);
      break;
    case 4:
      if (open.pop_back_val() != inner)
        return false;
      break;
    case 6:
    case 7:
      return false;
    default:
      field.type = static_cast<Type>(*tag & 7);
      if (!payload(field))
        return false;
    }
  }
  return true;
}

std::optional<Field> Reader::next() {
  while (!rest.empty() && !broken) {
    auto tag = varint();
    if (!tag)
      return std::nullopt;
    uint64_t number = *tag >> 3;
    unsigned type = *tag & 7;
    if (number == 0 || number > 0x1fffffff)
      return fail();
    if (type == 3) {
      if (!skipGroup(static_cast<uint32_t>(number)))
        return fail();
      continue;
    }
    if (type == 4 || type > 5)
      return fail();
    Field field;
    field.number = static_cast<uint32_t>(number);
    field.type = static_cast<Type>(type);
    if (!payload(field))
      return fail();
    return field;
  }
  return std::nullopt;
}

void appendVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

bool forEachNumber(const Field &field, llvm::function_ref<void(uint64_t)> take) {
  if (field.type != Bytes) {
    take(field.value);
    return true;
  }
  Reader packed(field.bytes);
  while (!packed.atEnd()) {
    std::optional<uint64_t> value = packed.varint();
    if (!value)
      return false;
    take(*value);
  }
  return true;
}

} // namespace sinter::wire
