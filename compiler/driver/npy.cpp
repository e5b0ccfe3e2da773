// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// numpy's .npy, versions 1 to 3: a Python dict literal in ASCII, then the elements.
#include "driver/tensor_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <cstring>

using namespace llvm;

namespace sinter {
namespace {
constexpr llvm::StringLiteral magic("\x93NUMPY");

struct TypeCode {
  ElementType type;
  llvm::StringLiteral code;
};
/// Types that numpy has a name for; what it lacks is held in raw "V" elements.
constexpr TypeCode descriptorCodes[] = {
    {ElementType::Float, "f4"},     {ElementType::Double, "f8"},      {ElementType::Float16, "f2"},
    {ElementType::UInt8, "u1"},     {ElementType::UInt16, "u2"},      {ElementType::UInt32, "u4"},
    {ElementType::UInt64, "u8"},    {ElementType::Int8, "i1"},        {ElementType::Int16, "i2"},
    {ElementType::Int32, "i4"},     {ElementType::Int64, "i8"},       {ElementType::Bool, "b1"},
    {ElementType::Complex64, "c8"}, {ElementType::Complex128, "c16"},
};

/// The value of 'key' in the header's dict, up to the comma or bracket that ends it.
StringRef field(StringRef header, StringRef key) {
  size_t at = header.find(key);
  if (at == StringRef::npos)
    return {};
  StringRef rest = header.drop_front(at + key.size()).ltrim(" '\":");
  if (rest.starts_with("("))
    return rest.take_until([](char c) { return c == ')'; }).drop_front();
  return rest.take_until([](char c) { return c == ',' || c == '}' || c == '\''; });
}

/// The type that a descriptor such as "<f4" names.
std::optional<ElementType> typeOfDescriptor(StringRef descriptor, ElementType expected, unsigned &elementBytes) {
  if (descriptor.empty() || descriptor[0] == '>')
    return std::nullopt;
  StringRef code = descriptor.ltrim("<|=");
  constexpr unsigned mostBytes = 1 << 28;
  if (code.drop_front().getAsInteger(10, elementBytes) || elementBytes > mostBytes)
    return std::nullopt;
  if (code[0] == 'U' || code[0] == 'S') {
    elementBytes *= code[0] == 'U' ? 4 : 1;
    return ElementType::String;
  }
  bool narrow = bitWidth(expected) <= 4 && expected != ElementType::Bool && expected != ElementType::String;
  if (elementBytes == 1 && narrow && expected != ElementType::Undefined)
    return expected; // 4- and 2-bit types, one element a byte
  if (code[0] == 'V' && expected != ElementType::Undefined && bytesOf(expected, 1) == elementBytes)
    return expected;
  for (const TypeCode &known : descriptorCodes)
    if (known.code == code)
      return known.type;
  return std::nullopt;
}

/// Nothing: more than a file has. Elements of no bytes, which numpy does not write, count as one.
std::optional<size_t> bytesOfShape(ArrayRef<int64_t> dims, unsigned elementBytes) {
  constexpr uint64_t most = uint64_t(1) << 48;
  uint64_t count = std::max(elementBytes, 1u);
  if (is_contained(dims, 0))
    return 0;
  for (int64_t dim : dims) {
    if (static_cast<uint64_t>(dim) > most / count)
      return std::nullopt;
    count *= static_cast<uint64_t>(dim);
  }
  return count;
}

void parseStrings(HostArray &array, StringRef data, bool wide, unsigned elementBytes) {
  for (int64_t i = 0, n = array.size(); i < n; ++i, data = data.drop_front(elementBytes)) {
    StringRef element = data.take_front(elementBytes);
    std::string text;
    if (wide) {
      std::vector<UTF32> points(elementBytes / 4);
      std::memcpy(points.data(), element.data(), elementBytes);
      while (!points.empty() && points.back() == 0)
        points.pop_back();
      convertUTF32ToUTF8String(points, text);
    } else {
      text = element.rtrim('\0').str();
    }
    array.strings.push_back(std::move(text));
  }
}

/// Strings as numpy has them: UCS-4, padded with zeros to the longest.
std::string wideStrings(ArrayRef<std::string> strings, size_t &longest) {
  std::vector<std::vector<UTF32>> points(strings.size());
  longest = 1;
  for (size_t i = 0; i < strings.size(); ++i) {
    points[i].resize(strings[i].size());
    const auto *source = reinterpret_cast<const UTF8 *>(strings[i].data());
    UTF32 *target = points[i].data();
    ConvertUTF8toUTF32(&source, source + strings[i].size(), &target, target + points[i].size(), lenientConversion);
    points[i].resize(static_cast<size_t>(target - points[i].data()));
    longest = std::max(longest, points[i].size());
  }
  std::string bytes;
  for (std::vector<UTF32> &element : points) {
    element.resize(longest);
    bytes.append(reinterpret_cast<const char *>(element.data()), longest * 4);
  }
  return bytes;
}

std::string descriptorOf(ElementType type) {
  for (const TypeCode &known : descriptorCodes)
    if (known.type == type)
      return (bytesOf(type, 1) == 1 ? "|" : "<") + known.code.str();
  if (type == ElementType::Int4 || type == ElementType::Int2)
    return "|i1";
  if (type == ElementType::UInt4 || type == ElementType::UInt2)
    return "|u1";
  return "|V" + std::to_string(bytesOf(type, 1));
}
} // namespace

std::optional<HostArray> parseNpy(StringRef bytes, ElementType expected, std::string &problem) {
  auto fail = [&](const Twine &what) {
    problem = what.str();
    return std::nullopt;
  };
  if (!bytes.consume_front(magic) || bytes.size() < 4)
    return fail("not an .npy file");
  bool old = bytes[0] == 1;
  size_t lengthBytes = old ? 2 : 4;
  if (bytes.size() < 2 + lengthBytes)
    return fail("truncated");
  uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 2, lengthBytes);
  bytes = bytes.drop_front(2 + lengthBytes);
  if (bytes.size() < length)
    return fail("truncated");
  StringRef header = bytes.take_front(length), data = bytes.drop_front(length);
  if (field(header, "'fortran_order'") != "False")
    return fail("elements are in Fortran order; save numpy.ascontiguousarray of it");

  HostArray array;
  unsigned elementBytes = 0;
  StringRef descriptor = field(header, "'descr'");
  std::optional<ElementType> type = typeOfDescriptor(descriptor, expected, elementBytes);
  if (!type)
    return fail("elements of type '" + descriptor + "' cannot be read here");
  array.type = *type;
  SmallVector<StringRef> sizes;
  field(header, "'shape'").split(sizes, ',', -1, false);
  for (StringRef size : sizes) {
    int64_t value;
    if (size.trim().empty())
      continue;
    if (size.trim().getAsInteger(10, value) || value < 0)
      return fail("the header's shape is not readable");
    array.dims.push_back(value);
  }
  if (std::optional<size_t> wanted = bytesOfShape(array.dims, elementBytes); wanted && *wanted <= data.size())
    data = data.take_front(*wanted);
  else
    return fail("truncated");
  if (array.type == ElementType::String)
    parseStrings(array, data, descriptor.contains('U'), elementBytes);
  else
    array.bytes = packed(array.type, data);
  return array;
}

std::string toNpy(const HostArray &array) {
  std::string descriptor = descriptorOf(array.type), data;
  if (array.type == ElementType::String) {
    size_t longest;
    data = wideStrings(array.strings, longest);
    descriptor = "<U" + std::to_string(longest);
  } else {
    data = unpacked(array);
  }
  std::string header = "{'descr': '" + descriptor + "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : array.dims)
    header += std::to_string(dim) + ",";
  header += "), }";
  // Elements start at a multiple of 64.
  size_t unpadded = magic.size() + 4 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ');
  header += '\n';
  std::string bytes = magic.str();
  bytes += {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  return bytes + header + data;
}

} // namespace sinter
