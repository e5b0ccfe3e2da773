// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathering of inputs.
#include "driver/inputs.h"

#include "driver/error_saying.h"
#include "driver/host_value.h"
#include "driver/quantized_array.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace sinter {
namespace {
/// splitmix64: a good generator in three lines, the same everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return next() % bound; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  uint64_t state;
};

uint16_t halfBits(float value) {
  APFloat half(value);
  bool lossy;
  half.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lossy);
  return static_cast<uint16_t>(half.bitcastToAPInt().getZExtValue());
}

template <class T>
void store(std::string &bytes, int64_t i, T value) {
  std::memcpy(bytes.data() + i * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

/// Its low bytes, which is what two's complement wraps to.
void storeInteger(HostArray &array, int64_t i, int64_t value) {
  size_t width = bytesOf(array.type, 1);
  std::memcpy(array.bytes.data() + static_cast<size_t>(i) * width, &value, width);
}

/// Each whole number of the range as often as the others; `unit` is in [0, 1).
int64_t wholeIn(RandomRange range, double unit) {
  double low = std::ceil(range.low), count = std::max(std::floor(range.high) - low + 1, 1.0);
  return static_cast<int64_t>(low + std::floor(unit * count));
}

/// "0..255", "-1..1".
std::optional<RandomRange> parseRange(StringRef text) {
  auto [low, high] = text.split("..");
  RandomRange range{};
  if (low.getAsDouble(range.low) || high.getAsDouble(range.high) || !(range.low <= range.high) ||
      std::max(std::fabs(range.low), std::fabs(range.high)) > 0x1p62)
    return std::nullopt;
  return range;
}

/// What made-up values of an input lie between, where its readers or the user say it.
std::optional<RandomRange> rangeFor(const TensorInfo &tensor, std::optional<RandomRange> asked) {
  auto upTo = [](int64_t last) { return RandomRange{0, static_cast<double>(last)}; };
  int64_t rows = tensor.hints.rows;
  if (tensor.part == "keys") // some of them beyond what is looked for
    return upTo(rows > 0 ? rows + rows / 4 : 2 * tensor.dims[0]);
  return !asked && rows > 0 && isInteger(tensor.type) && tensor.part != "values" ? upTo(rows - 1) : asked;
}

/// Of keys about half as those that are looked for, and text that is read as numbers as such.
void followHints(HostArray &array, const TensorInfo &tensor, uint64_t seed) {
  Random random(~seed);
  const InputHints &hints = tensor.hints;
  bool isText = tensor.type == ElementType::String, isKeys = tensor.part == "keys";
  size_t known = !isKeys ? 0 : isText ? hints.texts.size() : hints.integers.size();
  for (int64_t i = 0; i < array.size(); ++i) {
    if (isText && !isKeys && hints.isNumbers)
      array.strings[static_cast<size_t>(i)] = std::to_string(wholeIn({-999, 999}, random.unit())) + ".5";
    if (known == 0 || random.below(2) == 0)
      continue;
    size_t key = random.below(known);
    if (isText)
      array.strings[static_cast<size_t>(i)] = hints.texts[key];
    else
      storeInteger(array, i, hints.integers[key]);
  }
}

std::vector<int64_t> sizesOf(const TensorInfo &tensor, const ModelInfo &model, const InputSizes &sizes) {
  std::vector<int64_t> dims = tensor.dims;
  for (size_t d = 0; d < dims.size(); ++d)
    if (tensor.symbols[d] >= 0)
      if (auto known = sizes.find(model.dims[static_cast<size_t>(tensor.symbols[d])].name); known != sizes.end())
        dims[d] = known->second;
  return dims;
}
} // namespace

HostArray madeUp(ElementType type, ArrayRef<int64_t> dims, uint64_t seed, std::optional<RandomRange> range) {
  HostArray array = HostArray::zeros(type, dims);
  Random random(seed * 0x632be59bd9b4e019 + 1);
  for (int64_t i = 0, n = array.size() * numbersPerElement(type); i < n; ++i) {
    double real = range ? range->low + (range->high - range->low) * random.unit() : 2 * random.unit() - 1;
    if (range && isInteger(type) && bitWidth(type) >= 8) {
      storeInteger(array, i, wholeIn(*range, random.unit()));
      continue;
    }
    switch (type) {
    case ElementType::Float:
    case ElementType::Complex64:
      store(array.bytes, i, static_cast<float>(real));
      break;
    case ElementType::Double:
    case ElementType::Complex128:
      store(array.bytes, i, real);
      break;
    case ElementType::Float16:
      store(array.bytes, i, halfBits(static_cast<float>(real)));
      break;
    case ElementType::BFloat16:
      store(array.bytes, i, static_cast<uint16_t>(bit_cast<uint32_t>(static_cast<float>(real)) >> 16));
      break;
    case ElementType::String:
      array.strings[static_cast<size_t>(i)] = std::string(1, static_cast<char>('a' + random.below(26)));
      break;
    case ElementType::Bool:
      store(array.bytes, i, static_cast<uint8_t>(random.below(2)));
      break;
    case ElementType::UInt8:
      store(array.bytes, i, static_cast<uint8_t>(random.below(256)));
      break;
    case ElementType::Int8:
      store(array.bytes, i, static_cast<int8_t>(random.below(256)));
      break;
    default:
      // Other integers are often indices: small ones. Narrow types: any bits but those of infinity and NaN.
      if (isInteger(type) && bitWidth(type) >= 16) {
        storeInteger(array, i, static_cast<int64_t>(random.below(8)));
      } else if (static_cast<size_t>(i) < array.bytes.size()) {
        array.bytes[static_cast<size_t>(i)] =
            static_cast<char>(random.below(isFloat(type) && bitWidth(type) == 8 ? 0x78 : 256));
      }
    }
  }
  return array;
}

Expected<std::vector<HostArray>> InputFlags::gather(const ModelInfo &model, uint64_t set, bool makeUp) const {
  Expected<InputSizes> first = firstSizes(model, sizes);
  if (!first)
    return first.takeError();
  return gather(model, *first, set, makeUp);
}

Expected<std::vector<HostArray>> InputFlags::gather(const ModelInfo &model, const InputSizes &sizeOf, uint64_t set,
                                                    bool makeUp) const {
  std::map<std::string, std::string> fileOf;
  auto values = valuesOf(model.inputs);
  if (files.size() > values.size())
    return errorSaying("the model has " + Twine(values.size()) + " inputs, " + Twine(files.size()) +
                       " files were given");
  for (size_t i = 0; i < files.size(); ++i)
    fileOf[values[i].front().value] = files[i];
  for (const std::string &input : named) {
    auto [name, path] = StringRef(input).split('=');
    if (llvm::none_of(model.inputs, [&, name = name](const TensorInfo &tensor) { return tensor.value == name; }))
      return errorSaying("--input " + input + ": the model has no input of that name");
    fileOf[name.str()] = path.str();
  }

  std::optional<RandomRange> range = parseRange(randomRange);
  if (!range && !randomRange.empty())
    return errorSaying("--random-range " + randomRange + " is not LOW..HIGH, such as 0..255");

  std::vector<HostArray> inputs;
  for (ArrayRef<TensorInfo> parts : values) {
    auto file = fileOf.find(parts.front().value);
    std::string problem;
    if (file != fileOf.end() && isStructure(parts)) {
      std::optional<std::vector<HostArray>> arrays = readValue(file->second, parts, problem);
      if (!arrays)
        return errorSaying(problem);
      inputs.insert(inputs.end(), arrays->begin(), arrays->end());
      continue;
    }
    size_t begin = inputs.size();
    for (const TensorInfo &tensor : parts) {
      std::vector<int64_t> dims = sizesOf(tensor, model, sizeOf);
      if (file != fileOf.end()) {
        std::optional<HostArray> array = readTensor(file->second, tensor, dims, problem);
        if (!array)
          return errorSaying(problem);
        inputs.push_back(quantized(std::move(*array), tensor));
      } else if (makeUp || random.getNumOccurrences()) {
        bool isQuantized =
            range && tensor.scale != 0; // the range is of the model's numbers, which the program has quantized
        uint64_t seed = random + 1000 * set + inputs.size();
        HostArray array = madeUp(isQuantized ? ElementType::Float : tensor.type, dims, seed, rangeFor(tensor, range));
        followHints(array, tensor, seed);
        inputs.push_back(quantized(std::move(array), tensor));
      } else {
        return errorSaying("no file for input '" + tensor.value + "', " + describe(tensor.type, dims) +
                           "; --random SEED makes it up");
      }
      inputs.back().name = tensor.name;
    }
    if (isStructure(parts)) {
      std::vector<HostArray> arrays = madeUpParts(parts, ArrayRef(inputs).drop_front(begin), set);
      std::move(arrays.begin(), arrays.end(), inputs.begin() + static_cast<int64_t>(begin));
    }
  }
  return inputs;
}

std::vector<std::string> dataSetsIn(StringRef folder) {
  if (sys::fs::exists(folder + "/input_0.pb") || sys::fs::exists(folder + "/output_0.pb"))
    return {folder.str()};
  std::map<unsigned, std::string> found;
  std::error_code code;
  for (sys::fs::directory_iterator entry(folder, code), end; entry != end && !code; entry.increment(code)) {
    StringRef name = sys::path::filename(entry->path());
    unsigned number;
    if (name.consume_front("test_data_set_") && !name.getAsInteger(10, number))
      found[number] = entry->path();
  }
  std::vector<std::string> folders;
  for (const auto &[number, path] : found)
    folders.push_back(path);
  return folders;
}

Expected<std::vector<HostArray>> readDataSet(StringRef folder, StringRef kind, ArrayRef<TensorInfo> tensors) {
  std::vector<HostArray> arrays;
  for (auto [i, parts] : llvm::enumerate(valuesOf(tensors))) {
    std::string path = (folder + "/" + kind + "_" + Twine(i) + ".pb").str(), problem;
    if (!sys::fs::exists(path))
      break;
    std::optional<std::vector<HostArray>> value = readValue(path, parts, problem);
    if (!value)
      return errorSaying(problem);
    for (auto [part, array] : llvm::zip(parts, *value)) {
      array.name = part.name;
      arrays.push_back(std::move(array));
    }
  }
  return arrays;
}

} // namespace sinter
