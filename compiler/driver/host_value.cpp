// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Field numbers are those of onnx-data.proto.
#include "driver/host_value.h"

#include "driver/quantized_array.h"
#include "driver/tensor_file.h"
#include "frontend/wire.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace llvm;

namespace sinter {
namespace {
enum SequenceMember : uint32_t { SequenceTensors = 3 };
enum OptionalMember : uint32_t { OptionalTensor = 3, OptionalSequence = 5 };

bool addTensor(HostValue &value, StringRef bytes, std::string &problem) {
  std::optional<HostArray> tensor = parseTensorProto(bytes, problem);
  if (tensor)
    value.tensors.push_back(std::move(*tensor));
  return tensor.has_value();
}

std::optional<HostValue> parseSequence(StringRef bytes, std::string &problem) {
  HostValue value;
  value.isSequence = true;
  wire::Reader reader(bytes);
  while (std::optional<wire::Field> field = reader.next())
    if (field->number == SequenceTensors && !addTensor(value, field->bytes, problem))
      return std::nullopt;
  if (!reader.malformed())
    return value;
  problem = "not a SequenceProto";
  return std::nullopt;
}

std::optional<HostValue> parseOptional(StringRef bytes, bool isSequence, std::string &problem) {
  HostValue value;
  value.isPresent = false;
  value.isSequence = isSequence;
  wire::Reader reader(bytes);
  while (std::optional<wire::Field> field = reader.next()) {
    if (field->number == OptionalTensor && !isSequence) {
      value.isPresent = true;
      if (!addTensor(value, field->bytes, problem))
        return std::nullopt;
    }
    if (field->number == OptionalSequence && isSequence) {
      std::optional<HostValue> held = parseSequence(field->bytes, problem);
      return held;
    }
  }
  if (!reader.malformed())
    return value;
  problem = "not an OptionalProto";
  return std::nullopt;
}

int64_t integerAt(const HostArray &array, int64_t i) { return static_cast<int64_t>(numberAt(array, i)); }

void setInteger(HostArray &array, int64_t i, int64_t value) {
  std::memcpy(array.bytes.data() + i * static_cast<int64_t>(sizeof value), &value, sizeof value);
}

/// The arrays of one value by the names of their parts; null for parts that it has not.
template <class Array>
struct Parts {
  Array *elements = nullptr, *dims = nullptr, *count = nullptr, *present = nullptr, *value = nullptr;

  Parts(ArrayRef<TensorInfo> infos, Array *arrays) {
    for (const TensorInfo &info : infos) {
      Array *&part = info.part == "elements"  ? elements
                     : info.part == "dims"    ? dims
                     : info.part == "count"   ? count
                     : info.part == "present" ? present
                                              : value;
      part = arrays++;
    }
  }
};

/// Copies an element into its row, or clears what is behind it.
void writeRow(HostArray &rows, int64_t row, const HostArray &element) {
  int64_t room = rows.dims[0] ? rows.size() / rows.dims[0] : 0;
  if (rows.type == ElementType::String) {
    std::copy(element.strings.begin(), element.strings.end(), rows.strings.begin() + row * room);
    return;
  }
  size_t bytes = bytesOf(rows.type, room);
  std::memcpy(rows.bytes.data() + static_cast<size_t>(row) * bytes, element.bytes.data(), element.bytes.size());
}

void clearValues(HostArray &array, int64_t from, int64_t to) {
  for (int64_t i = from; i < to && array.type == ElementType::String; ++i)
    array.strings[static_cast<size_t>(i)].clear();
  if (array.type != ElementType::String && to > from)
    std::memset(array.bytes.data() + bytesOf(array.type, from), 0, bytesOf(array.type, to) - bytesOf(array.type, from));
}
} // namespace

std::optional<HostValue> parseValueProto(StringRef bytes, bool isOptional, bool isSequence, std::string &problem) {
  if (!isOptional)
    return parseSequence(bytes, problem);
  // Data sets record an optional that is there also as what it holds.
  std::string ignored;
  if (std::optional<HostArray> tensor = isSequence ? std::nullopt : parseTensorProto(bytes, ignored))
    return HostValue{true, false, {std::move(*tensor)}};
  std::optional<HostValue> value = parseOptional(bytes, isSequence, problem);
  if (value && !value->isPresent && isSequence)
    if (std::optional<HostValue> held = parseSequence(bytes, ignored); held && !held->tensors.empty())
      return held;
  return value;
}

SmallVector<ArrayRef<TensorInfo>> valuesOf(ArrayRef<TensorInfo> tensors) {
  SmallVector<ArrayRef<TensorInfo>> values;
  while (!tensors.empty()) {
    size_t count = 1;
    llvm::StringSet<> met;
    met.insert(tensors.front().part);
    while (!tensors.front().part.empty() && count < tensors.size() && tensors[count].value == tensors.front().value &&
           !tensors[count].part.empty() && met.insert(tensors[count].part).second)
      ++count;
    values.push_back(tensors.take_front(count));
    tensors = tensors.drop_front(count);
  }
  return values;
}

bool isStructure(ArrayRef<TensorInfo> parts) { return !parts.front().part.empty(); }

std::optional<std::vector<HostArray>> toParts(const HostValue &value, ArrayRef<TensorInfo> parts,
                                              std::string &problem) {
  auto fail = [&](const Twine &what) {
    problem = ("'" + parts.front().value + "': " + what).str();
    return std::nullopt;
  };
  std::vector<HostArray> arrays;
  for (const TensorInfo &part : parts) {
    arrays.push_back(HostArray::zeros(part.type, part.dims));
    arrays.back().name = part.name;
  }
  Parts<HostArray> into(parts, arrays.data());
  if (into.present)
    into.present->bytes[0] = value.isPresent ? 1 : 0;
  if (!value.isPresent)
    return into.present ? std::optional(arrays) : fail("there is no value, and the program asks for one");
  if (into.value) {
    if (value.isSequence || value.tensors.size() != 1)
      return fail("a sequence, and the program takes a tensor");
    *into.value = value.tensors.front();
    return arrays;
  }
  if (!into.elements)
    return arrays;
  int64_t rows = into.elements->dims[0], room = rows ? into.elements->size() / rows : 0;
  int64_t columns = into.dims->dims[1];
  if (static_cast<int64_t>(value.tensors.size()) > rows)
    return fail("a sequence of " + Twine(value.tensors.size()) + " elements, of which there may be " + Twine(rows));
  setInteger(*into.count, 0, static_cast<int64_t>(value.tensors.size()));
  for (auto [row, element] : enumerate(value.tensors)) {
    if (element.type != into.elements->type)
      return fail("an element is " + describe(element.type, element.dims) + " instead of " +
                  elementTypeName(into.elements->type));
    if (element.size() > room || static_cast<int64_t>(element.dims.size()) > columns)
      return fail("an element is " + describe(element.type, element.dims) + ", larger than there is room for");
    writeRow(*into.elements, static_cast<int64_t>(row), element);
    for (int64_t column = 0; column < columns; ++column)
      setInteger(*into.dims, static_cast<int64_t>(row) * columns + column,
                 column < static_cast<int64_t>(element.dims.size()) ? element.dims[static_cast<size_t>(column)] : -1);
  }
  return arrays;
}

void clearUnread(MutableArrayRef<HostArray> arrays, ArrayRef<TensorInfo> tensors) {
  HostArray *next = arrays.data();
  for (ArrayRef<TensorInfo> infos : valuesOf(tensors)) {
    Parts<HostArray> parts(infos, next);
    next += infos.size();
    if (!isStructure(infos))
      continue;
    if (parts.present && !parts.present->bytes[0]) {
      for (HostArray *part : {parts.elements, parts.dims, parts.count, parts.value})
        if (part)
          clearValues(*part, 0, part->size());
      continue;
    }
    if (!parts.elements)
      continue;
    int64_t rows = parts.elements->dims[0], room = rows ? parts.elements->size() / rows : 0;
    int64_t columns = parts.dims->dims[1], count = integerAt(*parts.count, 0);
    for (int64_t row = 0; row < rows; ++row) {
      int64_t size = row < count ? 1 : 0;
      for (int64_t column = 0; size && column < columns; ++column)
        if (int64_t dim = integerAt(*parts.dims, row * columns + column); dim >= 0)
          size = std::min(size * dim, room);
      clearValues(*parts.elements, row * room + size, (row + 1) * room);
      if (row >= count)
        clearValues(*parts.dims, row * columns, (row + 1) * columns);
    }
  }
}

std::optional<std::vector<HostArray>> readValue(StringRef path, ArrayRef<TensorInfo> parts, std::string &problem) {
  if (!isStructure(parts)) {
    std::optional<HostArray> array = readTensor(path, parts.front(), parts.front().dims, problem);
    return array ? std::optional(std::vector<HostArray>{std::move(*array)}) : std::nullopt;
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path, /*IsText=*/false, false);
  bool isOptional = any_of(parts, [](const TensorInfo &part) { return part.part == "present"; });
  bool isSequence = any_of(parts, [](const TensorInfo &part) { return part.part == "elements"; });
  std::optional<HostValue> value;
  if (file)
    value = parseValueProto((*file)->getBuffer(), isOptional, isSequence, problem);
  else
    problem = file.getError().message();
  std::optional<std::vector<HostArray>> arrays = value ? toParts(*value, parts, problem) : std::nullopt;
  if (!arrays)
    problem = (path + ": " + problem).str();
  return arrays;
}

std::vector<HostArray> madeUpParts(ArrayRef<TensorInfo> parts, ArrayRef<HostArray> numbers, uint64_t seed) {
  std::vector<HostArray> arrays(numbers.begin(), numbers.end());
  Parts<HostArray> into(parts, arrays.data());
  if (into.present)
    into.present->bytes[0] = 1;
  if (!into.elements)
    return arrays;
  int64_t rows = into.elements->dims[0], columns = into.dims->dims[1];
  for (int64_t i = 0; i < rows * columns; ++i) {
    size_t column = static_cast<size_t>(i % columns) + 1;
    setInteger(*into.dims, i, column < into.elements->dims.size() ? into.elements->dims[column] : -1);
  }
  setInteger(*into.count, 0, rows - static_cast<int64_t>(seed % static_cast<uint64_t>(rows)));
  clearUnread(arrays, parts);
  return arrays;
}

} // namespace sinter
