// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// safetensors: eight bytes with the size of a JSON object, the object, the data of all tensors. The object says of each
// its type, its shape and where in the data it is.
#include "adapter.h"

#include "support/bounded_json.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace sinter {
namespace {

ElementType typeOfSafetensor(StringRef name) {
  if (name == "F32")
    return ElementType::Float;
  if (name == "F16")
    return ElementType::Float16;
  if (name == "BF16")
    return ElementType::BFloat16;
  return name == "F64" ? ElementType::Double : ElementType::Undefined;
}

std::optional<std::string> readOne(StringRef name, const json::Object *said, StringRef data, AdapterTensor &tensor) {
  const json::Array *shape = said ? said->getArray("shape") : nullptr,
                    *offsets = said ? said->getArray("data_offsets") : nullptr;
  std::optional<StringRef> type = said ? said->getString("dtype") : std::nullopt;
  if (!shape || !offsets || !type || offsets->size() != 2)
    return "tensor '" + name.str() + "' has no dtype, shape and data_offsets";
  tensor.name = name.str();
  tensor.type = typeOfSafetensor(*type);
  if (tensor.type == ElementType::Undefined)
    return "tensor '" + name.str() + "' is of the type " + type->str() + ", and an adapter's are F32, F16, BF16 or F64";
  for (const json::Value &dim : *shape)
    tensor.dims.push_back(dim.getAsInteger().value_or(-1));
  std::optional<int64_t> begin = (*offsets)[0].getAsInteger(), end = (*offsets)[1].getAsInteger();
  if (!begin || !end || *begin < 0 || *end < *begin || static_cast<uint64_t>(*end) > data.size())
    return "tensor '" + name.str() + "' lies outside of the file";
  tensor.bytes = data.slice(static_cast<size_t>(*begin), static_cast<size_t>(*end));
  return checkAdapterTensor(tensor);
}

/// A key that the outermost object has twice: the parser keeps the last one, and nobody knows which was meant. `text`
/// has been parsed.
std::optional<std::string> keyThatComesAgain(StringRef text) {
  llvm::StringSet<> keys;
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '[')
      ++depth;
    else if (text[i] == '}' || text[i] == ']')
      --depth;
    if (text[i] != '"')
      continue;
    const size_t begin = i;
    for (++i; i < text.size() && text[i] != '"'; ++i)
      i += text[i] == '\\';
    if (depth != 1 || !text.substr(i + 1).ltrim().starts_with(":"))
      continue;
    Expected<json::Value> key = parseJson(text.slice(begin, i + 1)); // alike when read, if not as written
    if (!key)
      consumeError(key.takeError());
    else if (std::optional<StringRef> name = key->getAsString(); name && !keys.insert(*name).second)
      return name->str();
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> readSafetensors(StringRef bytes, std::vector<AdapterTensor> &tensors) {
  constexpr uint64_t mostHeader = 100000000, begin = 8; // safetensors' own limit
  constexpr unsigned deepest = 8;
  uint64_t size = bytes.size() < begin ? 0 : support::endian::read64le(bytes.data());
  if (size < 2 || size > mostHeader || size > bytes.size() - begin)
    return "the file is cut off, or no safetensors";
  StringRef header = bytes.substr(begin, size);
  if (!beyondJsonLimits(header, {deepest}).empty())
    return "the header is nested too deep";
  Expected<json::Value> read = parseBoundedJson(header);
  const json::Object *all = read ? read->getAsObject() : nullptr;
  if (!all) {
    consumeError(read.takeError());
    return "the header is no JSON object";
  }
  if (std::optional<std::string> name = keyThatComesAgain(header))
    return "tensor '" + *name + "' is there twice";
  std::vector<StringRef> names;
  for (const auto &entry : *all)
    if (StringRef(entry.first) != "__metadata__")
      names.push_back(entry.first);
  llvm::sort(names);
  for (StringRef name : names)
    if (std::optional<std::string> problem =
            readOne(name, all->getObject(name), bytes.drop_front(begin + size), tensors.emplace_back()))
      return problem;
  return std::nullopt;
}

} // namespace sinter
