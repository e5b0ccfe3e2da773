// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorProto without protobuf: test data comes in files of one TensorProto each. Field numbers are onnx.proto's.
#include "driver/tensor_file.h"

#include "frontend/wire.h"

#include <cstring>

using namespace llvm;

namespace sinter {
namespace {
enum Member : uint32_t {
  Dims = 1,
  DataType = 2,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  Name = 8,
  RawData = 9,
  DoubleData = 10,
  UInt64Data = 11,
  ExternalEntries = 13
};

template <class T>
void append(std::string &bytes, T value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

/// A number of int32_data and the like, in the bytes that the element type takes. Narrow types are packed already: a
/// byte each time.
void appendElement(std::string &bytes, ElementType type, uint64_t value) {
  size_t width = std::max<size_t>(bytesOf(type, 1), 1);
  bytes.append(reinterpret_cast<const char *>(&value), width);
}
/// raw_data of 6-bit types is a stream of bits, low ones first; here a byte each.
std::string bytesOfSixBits(StringRef stream, size_t count) {
  std::string bytes;
  for (size_t i = 0; i < count && (i * 6 + 5) / 8 < stream.size(); ++i) {
    size_t bit = i * 6;
    auto at = [&](size_t byte) { return byte < stream.size() ? static_cast<uint8_t>(stream[byte]) : 0u; };
    bytes.push_back(static_cast<char>(((at(bit / 8) | at(bit / 8 + 1) << 8) >> bit % 8) & 63));
  }
  return bytes;
}
} // namespace

std::optional<HostArray> parseTensorProto(StringRef bytes, std::string &problem) {
  auto fail = [&](const char *what) {
    problem = what;
    return std::nullopt;
  };
  HostArray array;
  // The type may follow the data.
  wire::Reader types(bytes);
  while (std::optional<wire::Field> field = types.next()) {
    if (field->number == DataType)
      array.type = static_cast<ElementType>(field->value);
    if (field->number == ExternalEntries)
      return fail("its data is in another file");
  }
  if (types.malformed() || static_cast<int>(array.type) <= 0 || array.type > lastElementType)
    return fail("not a TensorProto");
  bool good = true, isRaw = false;
  wire::Reader reader(bytes);
  while (std::optional<wire::Field> field = reader.next()) {
    switch (field->number) {
    case Dims:
      good &= wire::forEachNumber(*field, [&](uint64_t value) { array.dims.push_back(static_cast<int64_t>(value)); });
      break;
    case FloatData:
    case DoubleData:
      if (field->type == wire::Bytes)
        array.bytes += field->bytes;
      else if (field->number == FloatData)
        append(array.bytes, static_cast<uint32_t>(field->value));
      else
        append(array.bytes, field->value);
      break;
    case Int32Data:
    case Int64Data:
    case UInt64Data:
      good &= wire::forEachNumber(*field, [&](uint64_t value) { appendElement(array.bytes, array.type, value); });
      break;
    case StringData:
      array.strings.push_back(field->bytes.str());
      break;
    case Name:
      array.name = field->bytes.str();
      break;
    case RawData:
      array.bytes = field->bytes.str();
      isRaw = true;
      break;
    default:
      break;
    }
  }
  for (int64_t dim : array.dims)
    good &= dim >= 0;
  if (good && isRaw && bitWidth(array.type) == 6)
    array.bytes = bytesOfSixBits(array.bytes, static_cast<size_t>(array.size()));
  if (!good)
    return fail("a malformed TensorProto");
  bool whole = array.type == ElementType::String ? array.strings.size() == static_cast<size_t>(array.size())
                                                 : array.bytes.size() == bytesOf(array.type, array.size());
  if (!whole)
    return fail("its data does not fit its shape");
  return array;
}

} // namespace sinter
