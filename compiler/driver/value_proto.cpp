// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SequenceProto, MapProto and OptionalProto without protobuf. Field numbers are those of onnx-data.proto.
#include "driver/host_value.h"

#include "driver/tensor_file.h"
#include "frontend/wire.h"

#include <cstring>

using namespace llvm;

namespace sinter {
namespace {
enum SequenceMember : uint32_t { SequenceTensors = 3 };
enum OptionalMember : uint32_t { OptionalTensor = 3, OptionalSequence = 5, OptionalMap = 6 };
enum MapMember : uint32_t { MapKeyType = 2, MapKeys = 3, MapStringKeys = 4, MapValues = 5 };

bool addTensor(HostValue &value, StringRef bytes, std::string &problem) {
  std::optional<HostArray> tensor = parseTensorProto(bytes, problem);
  if (tensor)
    value.tensors.push_back(std::move(*tensor));
  return tensor.has_value();
}

std::optional<HostValue> parseSequence(StringRef bytes, std::string &problem) {
  HostValue value{HostValue::Sequence};
  wire::Reader reader(bytes);
  while (std::optional<wire::Field> field = reader.next())
    if (field->number == SequenceTensors && !addTensor(value, field->bytes, problem))
      return std::nullopt;
  if (!reader.malformed())
    return value;
  problem = "not a SequenceProto";
  return std::nullopt;
}

/// Numbers of a key's type, whose low bytes two's complement has in common.
HostArray arrayOf(ElementType type, ArrayRef<int64_t> numbers) {
  HostArray array = HostArray::zeros(type, {static_cast<int64_t>(numbers.size())});
  size_t width = bytesOf(type, 1);
  for (auto [i, number] : enumerate(numbers))
    std::memcpy(array.bytes.data() + i * width, &number, width);
  return array;
}

/// Tensors of one number each, as one of that many; false where they are something else.
bool appendNumber(HostArray &all, const HostArray &one) {
  if (all.dims[0] == 0)
    all = HostArray::zeros(one.type, {0});
  if (one.type != all.type || one.size() != 1)
    return false;
  ++all.dims[0];
  all.bytes += one.bytes;
  all.strings.insert(all.strings.end(), one.strings.begin(), one.strings.end());
  return true;
}

std::optional<HostValue> parseMap(StringRef bytes, std::string &problem) {
  problem = "not a MapProto";
  ElementType type = ElementType::Undefined;
  std::vector<int64_t> numbers;
  HostArray texts = HostArray::zeros(ElementType::String, {0}), values = HostArray::zeros(ElementType::Undefined, {0});
  wire::Reader reader(bytes);
  while (std::optional<wire::Field> field = reader.next()) {
    if (field->number == MapKeyType && field->value <= static_cast<uint64_t>(lastElementType))
      type = static_cast<ElementType>(field->value);
    if (field->number == MapKeys &&
        !wire::forEachNumber(*field, [&](uint64_t key) { numbers.push_back(static_cast<int64_t>(key)); }))
      return std::nullopt;
    if (field->number == MapStringKeys) {
      texts.strings.push_back(field->bytes.str());
      ++texts.dims[0];
    }
    std::optional<HostValue> held;
    if (field->number == MapValues && !(held = parseSequence(field->bytes, problem)))
      return std::nullopt;
    for (const HostArray &value : held ? held->tensors : std::vector<HostArray>())
      if (!appendNumber(values, value)) {
        problem = "a map whose values are no single numbers or strings of one type";
        return std::nullopt;
      }
  }
  bool isText = type == ElementType::String;
  if (reader.malformed() || (!isText && !isInteger(type)))
    return std::nullopt;
  HostArray keys = isText ? std::move(texts) : arrayOf(type, numbers);
  if (keys.size() == values.size())
    return HostValue{HostValue::Map, true, {std::move(keys), std::move(values)}};
  problem = ("a map of " + Twine(keys.size()) + " keys and " + Twine(values.size()) + " values").str();
  return std::nullopt;
}

std::optional<HostValue> parseOptional(StringRef bytes, HostValue::Kind kind, std::string &problem) {
  HostValue value{kind, false};
  wire::Reader reader(bytes);
  while (std::optional<wire::Field> field = reader.next()) {
    if (field->number == OptionalTensor && kind == HostValue::Tensor) {
      value.isPresent = true;
      if (!addTensor(value, field->bytes, problem))
        return std::nullopt;
    }
    if (field->number == OptionalSequence && kind == HostValue::Sequence)
      return parseSequence(field->bytes, problem);
    if (field->number == OptionalMap && kind == HostValue::Map)
      return parseMap(field->bytes, problem);
  }
  if (!reader.malformed())
    return value;
  problem = "not an OptionalProto";
  return std::nullopt;
}
} // namespace

std::optional<HostValue> parseValueProto(StringRef bytes, bool isOptional, HostValue::Kind kind, std::string &problem) {
  if (!isOptional)
    return kind == HostValue::Map ? parseMap(bytes, problem) : parseSequence(bytes, problem);
  // Data sets record an optional that is there also as what it holds.
  std::string ignored;
  bool isTensor = kind == HostValue::Tensor;
  if (std::optional<HostArray> tensor = isTensor ? parseTensorProto(bytes, ignored) : std::nullopt)
    return HostValue{HostValue::Tensor, true, {std::move(*tensor)}};
  std::optional<HostValue> value = parseOptional(bytes, kind, problem);
  if (value && !value->isPresent && !isTensor)
    if (std::optional<HostValue> held = parseValueProto(bytes, false, kind, ignored); held && !held->tensors.empty())
      return held;
  return value;
}

} // namespace sinter
