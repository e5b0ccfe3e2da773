// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are no tensors, and their parts.
#include "driver/host_value.h"

#include "driver/quantized_array.h"
#include "driver/tensor_file.h"
#include "support/given_file.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace llvm;

namespace sinter {
namespace {
int64_t integerAt(const HostArray &array, int64_t i) { return static_cast<int64_t>(numberAt(array, i)); }

void setInteger(HostArray &array, int64_t i, int64_t value) {
  std::memcpy(array.bytes.data() + i * static_cast<int64_t>(sizeof value), &value, sizeof value);
}

/// The arrays of one value by the names of their parts; null for parts that it has not.
template <class Array>
struct Parts {
  Array *elements = nullptr, *dims = nullptr, *keys = nullptr, *values = nullptr, *count = nullptr, *present = nullptr,
        *value = nullptr;

  Parts(ArrayRef<TensorInfo> infos, Array *arrays) {
    for (const TensorInfo &info : infos) {
      Array *&part = info.part == "elements"  ? elements
                     : info.part == "dims"    ? dims
                     : info.part == "keys"    ? keys
                     : info.part == "values"  ? values
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

/// Moves the first of each key to the front, until there are so many of them; how many there are.
int64_t keepDistinct(HostArray &keys, int64_t wanted) {
  size_t width = keys.type == ElementType::String ? 0 : bytesOf(keys.type, 1);
  llvm::StringSet<> met;
  size_t kept = 0;
  for (size_t i = 0; i < static_cast<size_t>(keys.size()) && kept < static_cast<size_t>(wanted); ++i) {
    if (!met.insert(width ? StringRef(keys.bytes).substr(i * width, width) : StringRef(keys.strings[i])).second)
      continue;
    if (width)
      std::memmove(keys.bytes.data() + kept++ * width, keys.bytes.data() + i * width, width);
    else
      keys.strings[kept++] = keys.strings[i];
  }
  return static_cast<int64_t>(kept);
}

void clearValues(HostArray &array, int64_t from, int64_t to) {
  for (int64_t i = from; i < to && array.type == ElementType::String; ++i)
    array.strings[static_cast<size_t>(i)].clear();
  if (array.type != ElementType::String && to > from)
    std::memset(array.bytes.data() + bytesOf(array.type, from), 0, bytesOf(array.type, to) - bytesOf(array.type, from));
}
} // namespace

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
    if (value.kind != HostValue::Tensor || value.tensors.size() != 1)
      return fail("a sequence, and the program takes a tensor");
    *into.value = value.tensors.front();
    return arrays;
  }
  if (into.keys) {
    const HostArray &keys = value.tensors[0], &values = value.tensors[1];
    if (keys.size() > into.keys->size())
      return fail("a map of " + Twine(keys.size()) + " keys, of which there may be " + Twine(into.keys->size()));
    if (keys.size() > 0 && (keys.type != into.keys->type || values.type != into.values->type))
      return fail("a map of " + elementTypeName(keys.type) + " to " + elementTypeName(values.type) + " instead of " +
                  elementTypeName(into.keys->type) + " to " + elementTypeName(into.values->type));
    setInteger(*into.count, 0, keys.size());
    if (keys.size() > 0) {
      writeRow(*into.keys, 0, keys);
      writeRow(*into.values, 0, values);
    }
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
      for (HostArray *part : {parts.elements, parts.dims, parts.keys, parts.values, parts.count, parts.value})
        if (part)
          clearValues(*part, 0, part->size());
      continue;
    }
    for (HostArray *part : {parts.keys, parts.values})
      if (part)
        clearValues(*part, std::max<int64_t>(integerAt(*parts.count, 0), 0), part->size());
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

static HostValue::Kind kindOf(ArrayRef<TensorInfo> parts) {
  for (const TensorInfo &part : parts) {
    if (part.part == "elements")
      return HostValue::Sequence;
    if (part.part == "keys")
      return HostValue::Map;
  }
  return HostValue::Tensor;
}

std::optional<std::vector<HostArray>> readValue(StringRef path, ArrayRef<TensorInfo> parts, std::string &problem) {
  if (!isStructure(parts)) {
    std::optional<HostArray> array = readTensor(path, parts.front(), parts.front().dims, problem);
    return array ? std::optional(std::vector<HostArray>{std::move(*array)}) : std::nullopt;
  }
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path);
  bool isOptional = any_of(parts, [](const TensorInfo &part) { return part.part == "present"; });
  std::optional<HostValue> value;
  if (file)
    value = parseValueProto((*file)->getBuffer(), isOptional, kindOf(parts), problem);
  else {
    problem = toString(file.takeError());
    return std::nullopt;
  }
  std::optional<std::vector<HostArray>> arrays = value ? toParts(*value, parts, problem) : std::nullopt;
  if (!arrays)
    problem = (path + ": " + problem).str();
  return arrays;
}

/// As many elements as the seed says, of which there is room for `rows`: one at least, where there may be any.
static int64_t madeUpCount(const TensorInfo &part, int64_t rows, uint64_t seed) {
  int64_t most = part.hints.mostCount >= 0 ? part.hints.mostCount : rows;
  int64_t least = std::min(std::max<int64_t>(part.hints.leastCount, 1), most);
  return most - static_cast<int64_t>(seed % static_cast<uint64_t>(most - least + 1));
}

std::vector<HostArray> madeUpParts(ArrayRef<TensorInfo> parts, ArrayRef<HostArray> numbers, uint64_t seed) {
  std::vector<HostArray> arrays(numbers.begin(), numbers.end());
  Parts<HostArray> into(parts, arrays.data());
  if (into.present)
    into.present->bytes[0] = 1;
  if (into.keys) {
    setInteger(*into.count, 0, keepDistinct(*into.keys, madeUpCount(parts.front(), into.keys->size(), seed)));
    clearUnread(arrays, parts);
  }
  if (!into.elements)
    return arrays;
  int64_t rows = into.elements->dims[0], columns = into.dims->dims[1];
  for (int64_t i = 0; i < rows * columns; ++i) {
    size_t column = static_cast<size_t>(i % columns) + 1;
    setInteger(*into.dims, i, column < into.elements->dims.size() ? into.elements->dims[column] : -1);
  }
  setInteger(*into.count, 0, madeUpCount(parts.front(), rows, seed));
  clearUnread(arrays, parts);
  return arrays;
}

} // namespace sinter
