// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a TensorProto's elements are: raw_data, a typed field (decoded here where it is not raw_data's form already),
// or another file.
#include "frontend/tensor_data.h"
#include "frontend/wire.h"

#include "llvm/Support/Endian.h"

using namespace llvm;

static_assert(llvm::endianness::native == llvm::endianness::little, "raw_data is mapped, not decoded");

namespace sinter {
namespace {
/// TensorProto's data fields by number.
enum DataField : uint32_t {
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  RawData = 9,
  DoubleData = 10,
  Uint64Data = 11
};

uint32_t typedField(ElementType type) {
  switch (type) {
  case ElementType::Float:
  case ElementType::Complex64:
    return FloatData;
  case ElementType::Double:
  case ElementType::Complex128:
    return DoubleData;
  case ElementType::Int64:
    return Int64Data;
  case ElementType::UInt32:
  case ElementType::UInt64:
    return Uint64Data;
  case ElementType::String:
    return StringData;
  default:
    return Int32Data;
  }
}

StringRef fieldName(uint32_t field) {
  switch (field) {
  case FloatData:
    return "float_data";
  case Int32Data:
    return "int32_data";
  case StringData:
    return "string_data";
  case Int64Data:
    return "int64_data";
  case DoubleData:
    return "double_data";
  case Uint64Data:
    return "uint64_data";
  default:
    return "raw_data";
  }
}

/// What the data fields of one TensorProto hold, found in one walk over it.
struct Layout {
  StringRef raw;
  bool hasRaw = false, segmented = false;
  uint32_t typed = 0; ///< the typed field that has elements
  bool severalTyped = false;
  StringRef run; ///< the typed field's bytes, where it is one packed run of fixed width
  uint64_t runs = 0;
  uint64_t bytes = 0; ///< of the typed field, over all runs
};

bool isPacked(const wire::Field &field) { return field.type == wire::Bytes && field.number != StringData; }

Layout layoutOf(StringRef message) {
  Layout layout;
  wire::Reader reader(message);
  while (auto field = reader.next()) {
    if (field->number == 3)
      layout.segmented = true;
    if (field->number == RawData && field->type == wire::Bytes) {
      layout.raw = field->bytes;
      layout.hasRaw = true;
    }
    bool typed = (field->number >= FloatData && field->number <= Int64Data) || field->number == DoubleData ||
                 field->number == Uint64Data;
    if (!typed || (isPacked(*field) && field->bytes.empty()))
      continue;
    layout.severalTyped |= layout.typed && layout.typed != field->number;
    layout.typed = field->number;
    layout.run = isPacked(*field) ? field->bytes : StringRef();
    ++layout.runs;
    layout.bytes += field->type == wire::Bytes     ? std::max<uint64_t>(field->bytes.size(), 1)
                    : field->type == wire::Fixed64 ? 8
                    : field->type == wire::Fixed32 ? 4
                                                   : 1;
  }
  return layout;
}

/// Calls `take` with each number of a typed field; false where the field is malformed or `take` says no.
bool forEachNumber(StringRef message, uint32_t number, bool fixed, unsigned width,
                   llvm::function_ref<bool(uint64_t)> take) {
  wire::Reader reader(message);
  while (auto field = reader.next()) {
    if (field->number != number)
      continue;
    if (field->type != wire::Bytes) {
      if (fixed != (field->type != wire::Varint) || !take(field->value))
        return false;
      continue;
    }
    StringRef run = field->bytes;
    if (fixed) {
      for (; run.size() >= width; run = run.drop_front(width))
        if (!take(width == 4 ? support::endian::read32le(run.data()) : support::endian::read64le(run.data())))
          return false;
      if (!run.empty())
        return false;
      continue;
    }
    uint64_t value = 0;
    unsigned shift = 0;
    for (char c : run) {
      if (shift > 63)
        return false;
      value |= uint64_t(c & 0x7f) << shift;
      shift += 7;
      if (c & 0x80)
        continue;
      if (!take(value))
        return false;
      value = 0;
      shift = 0;
    }
    if (shift)
      return false;
  }
  return true;
}

/// Elements of one int32_data entry, and bytes that each of its entries fills in raw_data's form.
struct EntryShape {
  unsigned elements, bytes;
};
EntryShape entryShape(ElementType type) {
  unsigned bits = bitWidth(type);
  if (type == ElementType::Bool || bits == 6)
    return {1, 1};
  if (bits < 8)
    return {8 / bits, 1};
  if (isComplex(type))
    return {1, bits / 16};
  return {1, bits / 8};
}

/// float6 codes, one a byte, as a stream of 6-bit codes.
void packSixBits(std::string &bytes) {
  std::string packed((bytes.size() * 6 + 7) / 8, '\0');
  for (size_t i = 0; i < bytes.size(); ++i)
    for (unsigned bit = 0; bit < 6; ++bit)
      if (bytes[i] >> bit & 1)
        packed[(i * 6 + bit) / 8] = static_cast<char>(packed[(i * 6 + bit) / 8] | 1 << (i * 6 + bit) % 8);
  bytes = std::move(packed);
}

TensorBytes owned(std::string bytes) {
  auto owner = std::make_shared<std::string>(std::move(bytes));
  return {StringRef(*owner), owner, {}};
}

class Finder {
public:
  Finder(ImportState &state, const onnx::TensorProto &tensor, ElementType type, uint64_t elements, std::string what,
         const ModelPlace &place)
      : state(state), tensor(tensor), type(type), elements(elements), what(std::move(what)), place(place) {}

  std::optional<TensorBytes> find();

private:
  std::nullopt_t fail(const Twine &message, const Twine &hint = "") {
    state.report(Code::InvalidTensor, what + " " + message, place, hint);
    return std::nullopt;
  }
  std::optional<TensorBytes> raw(StringRef bytes, std::shared_ptr<void> owner);
  std::optional<TensorBytes> typed(StringRef message, const Layout &layout);
  std::optional<TensorBytes> strings(StringRef message);
  std::optional<TensorBytes> external();

  ImportState &state;
  const onnx::TensorProto &tensor;
  ElementType type;
  uint64_t elements;
  std::string what;
  const ModelPlace &place;
};

std::optional<TensorBytes> Finder::raw(StringRef bytes, std::shared_ptr<void> owner) {
  uint64_t expected = bytesOf(type, elements);
  if (bytes.size() != expected)
    return fail("has " + Twine(bytes.size()) + " bytes of data; its type and dims want " + Twine(expected));
  if (type == ElementType::Bool && any_of(bytes, [](char c) { return static_cast<uint8_t>(c) > 1; })) {
    std::string normal(bytes.size(), '\0');
    for (size_t i = 0; i < bytes.size(); ++i)
      normal[i] = bytes[i] == 0 ? 0 : 1;
    return owned(std::move(normal));
  }
  return TensorBytes{bytes, std::move(owner), {}};
}

std::optional<TensorBytes> Finder::strings(StringRef message) {
  if (elements > state.options.limits.strings) {
    state.report(Code::TooManyElements, what + " has more than " + Twine(state.options.limits.strings) + " strings",
                 place);
    return std::nullopt;
  }
  TensorBytes result;
  wire::Reader reader(message);
  while (auto field = reader.next())
    if (field->number == StringData && field->type == wire::Bytes && result.strings.size() <= elements)
      result.strings.push_back(field->bytes);
  if (result.strings.size() != elements)
    return fail("has " + Twine(result.strings.size() > elements ? "more" : "fewer") + " strings than its dims want (" +
                Twine(elements) + ")");
  result.owner = state.file;
  return result;
}

std::optional<TensorBytes> Finder::typed(StringRef message, const Layout &layout) {
  bool fixed = layout.typed == FloatData || layout.typed == DoubleData;
  if (fixed && layout.runs == 1 && !layout.run.empty())
    return raw(layout.run, state.file);
  EntryShape shape = entryShape(type);
  uint64_t entries = isComplex(type) ? elements * 2 : (elements + shape.elements - 1) / shape.elements;
  // Every entry takes a byte in the file, so that nothing is allocated for elements that are not there.
  if (layout.bytes < entries)
    return fail("has fewer elements in " + fieldName(layout.typed) + " than its dims want (" + Twine(elements) + ")");
  uint64_t total = state.options.limits.expandedBytesTotal;
  if (entries * shape.bytes > total - state.expandedBytes) {
    state.report(Code::TooManyElements, "the model's tensors take more than " + Twine(total) + " bytes when decoded",
                 place, "export with raw_data, which needs no decoding");
    return std::nullopt;
  }
  state.expandedBytes += entries * shape.bytes;
  std::string bytes;
  bytes.reserve(entries * shape.bytes);
  uint64_t count = 0;
  bool whole = forEachNumber(message, layout.typed, fixed, layout.typed == FloatData ? 4 : 8, [&](uint64_t value) {
    if (type == ElementType::Bool)
      value = value != 0;
    if (++count <= entries)
      bytes.append(reinterpret_cast<const char *>(&value), shape.bytes);
    return true;
  });
  if (!whole)
    return fail("has malformed " + fieldName(layout.typed));
  if (count != entries)
    return fail("has " + Twine(count) + " entries in " + fieldName(layout.typed) + "; its type and dims want " +
                Twine(entries));
  if (bitWidth(type) == 6)
    packSixBits(bytes);
  return owned(std::move(bytes));
}

std::optional<TensorBytes> Finder::external() {
  ExternalPlace data;
  auto invalid = [&](const Twine &message) {
    state.report(Code::ExternalDataInvalid, what + " " + message, place);
    return std::nullopt;
  };
  if (type == ElementType::String)
    return invalid("holds strings, which cannot be external data");
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    StringRef key = entry.key(), value = entry.value();
    if (key == "location") {
      data.location = value.str();
    } else if (key == "offset" || key == "length") {
      auto number = parseUnsigned(value);
      if (!number)
        return invalid("has the external data " + key + " " + quoted(value) + ", which is not a size");
      if (key == "offset")
        data.offset = *number;
      else
        data.length = number;
    } else if (key == "checksum") {
      data.checksum = value.str();
    } else if (key != "basepath") {
      return invalid("has the external data key " + quoted(key) + ", which ONNX does not define");
    }
  }
  uint64_t expected = bytesOf(type, elements);
  if (data.length.value_or(expected) != expected)
    return fail("has " + Twine(*data.length) + " bytes of external data; its type and dims want " + Twine(expected));
  Problem problem;
  ExternalData::File file;
  auto bytes = state.external.read(data, expected, file, problem);
  if (!bytes) {
    problem.message = what + ": " + problem.message;
    problem.place = place;
    state.report(std::move(problem));
    return std::nullopt;
  }
  return raw(*bytes, file);
}

std::optional<TensorBytes> Finder::find() {
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL)
    return external();
  wire::TensorPlace at;
  StringRef marker = tensor.raw_data();
  assert(marker.size() == sizeof(at) && "written by stripTensorData");
  at.offset = support::endian::read64le(marker.data());
  at.size = support::endian::read64le(marker.data() + 8);
  StringRef message = state.bytes.substr(at.offset, at.size);
  Layout layout = layoutOf(message);
  if (layout.segmented)
    return fail("is one segment of a larger tensor, a form that ONNX abandoned", "export the model again");
  if (layout.severalTyped || (layout.typed && layout.hasRaw && !layout.raw.empty()))
    return fail("has data in more than one field");
  if (type == ElementType::String)
    return layout.hasRaw ? fail("holds strings, which cannot be raw_data") : strings(message);
  if (layout.hasRaw || !layout.typed)
    return raw(layout.raw, state.file);
  if (layout.typed != typedField(type))
    return fail("of type " + elementTypeName(type) + " has its data in " + fieldName(layout.typed) + " instead of " +
                fieldName(typedField(type)));
  return typed(message, layout);
}
} // namespace

uint64_t bytesOf(ElementType type, uint64_t elements) {
  if (type == ElementType::Bool)
    return elements;
  return (elements * bitWidth(type) + 7) / 8;
}

std::optional<TensorBytes> readTensorBytes(ImportState &state, const onnx::TensorProto &tensor, ElementType type,
                                           uint64_t elements, const Twine &what, const ModelPlace &place) {
  return Finder(state, tensor, type, elements, what.str(), place).find();
}

} // namespace sinter
