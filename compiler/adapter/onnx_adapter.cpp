// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .onnx_adapter (onnxruntime/lora/adapter_format): a flatbuffer. All that it points to is asked for within the file.
//   table Adapter { format_version: int; adapter_version: int; model_version: int; parameters: [Parameter]; }
//   table Parameter { name: string; dims: [int64]; data_type: TensorProto.DataType; raw_data: [uint8]; }
#include "adapter.h"

#include "llvm/Support/Endian.h"

using namespace llvm;

namespace sinter {
namespace {

/// Places in the file; what lies outside of it is at none.
class FlatbufferFile {
public:
  using Place = std::optional<uint64_t>;
  explicit FlatbufferFile(StringRef bytes) : bytes(bytes) {}

  /// Whether `size` bytes are there.
  bool has(Place place, uint64_t size) const {
    return place && *place <= bytes.size() && size <= bytes.size() - *place;
  }
  uint32_t word(Place place) const { return has(place, 4) ? support::endian::read32le(bytes.data() + *place) : 0; }
  uint16_t half(Place place) const { return has(place, 2) ? support::endian::read16le(bytes.data() + *place) : 0; }
  int64_t number(uint64_t place) const { return static_cast<int64_t>(support::endian::read64le(bytes.data() + place)); }

  /// Where an offset leads from its own place.
  Place follow(Place place) const {
    uint32_t offset = word(place);
    return offset && has(*place + offset, 4) ? Place(*place + offset) : std::nullopt;
  }
  /// A field of a table; none where it is left out.
  Place field(Place table, unsigned index) const {
    if (!has(table, 4))
      return std::nullopt;
    int64_t layout = static_cast<int64_t>(*table) - static_cast<int32_t>(word(table)); // field offsets behind two sizes
    if (layout < 0 || !has(static_cast<uint64_t>(layout), 4))
      return std::nullopt;
    uint64_t at = static_cast<uint64_t>(layout) + 4 + 2 * uint64_t(index);
    if (at + 2 > static_cast<uint64_t>(layout) + half(static_cast<uint64_t>(layout)))
      return std::nullopt;
    uint16_t offset = half(at);
    return offset ? Place(*table + offset) : std::nullopt;
  }
  /// The elements of a vector or string, each of `size` bytes.
  std::optional<StringRef> elements(Place vector, uint64_t size) const {
    if (!has(vector, 4))
      return std::nullopt;
    uint64_t count = word(vector);
    return has(*vector + 4, count * size) ? std::optional(bytes.substr(*vector + 4, count * size)) : std::nullopt;
  }
  uint64_t placeOf(StringRef part) const { return static_cast<uint64_t>(part.data() - bytes.data()); }

private:
  StringRef bytes;
};

std::optional<std::string> readParameter(const FlatbufferFile &file, FlatbufferFile::Place table,
                                         AdapterTensor &tensor) {
  std::optional<StringRef> name = file.elements(file.follow(file.field(table, 0)), 1),
                           dims = file.elements(file.follow(file.field(table, 1)), sizeof(int64_t)),
                           data = file.elements(file.follow(file.field(table, 3)), 1);
  if (!name || !data)
    return "a parameter has no name or no data";
  tensor.name = name->str();
  for (uint64_t i = 0; dims && i < dims->size(); i += sizeof(int64_t))
    tensor.dims.push_back(file.number(file.placeOf(*dims) + i));
  uint32_t type = file.word(file.field(table, 2));
  if (type == 0 || type > static_cast<uint32_t>(ElementType::Float8E5M2FNUZ) ||
      static_cast<ElementType>(type) == ElementType::String)
    return "parameter '" + tensor.name + "' is of the type " + std::to_string(type) + ", which adapters have not";
  tensor.type = static_cast<ElementType>(type);
  tensor.bytes = *data;
  return checkAdapterTensor(tensor);
}

} // namespace

std::optional<std::string> readOnnxAdapter(StringRef bytes, std::vector<AdapterTensor> &tensors) {
  constexpr uint32_t known = 1;
  FlatbufferFile file(bytes);
  FlatbufferFile::Place root = file.follow(uint64_t(0));
  if (!root || bytes.substr(4, 4) != "TORT")
    return "the file is neither safetensors nor an .onnx_adapter";
  if (uint32_t version = file.word(file.field(root, 0)); version != known)
    return "the file has version " + std::to_string(version) + " of the format, and this Sinter knows version 1";
  std::optional<StringRef> parameters = file.elements(file.follow(file.field(root, 3)), sizeof(uint32_t));
  if (!parameters)
    return "the file is cut off, or has no parameters";
  for (uint64_t i = 0; i < parameters->size(); i += sizeof(uint32_t))
    if (std::optional<std::string> problem =
            readParameter(file, file.follow(file.placeOf(*parameters) + i), tensors.emplace_back()))
      return problem;
  return std::nullopt;
}

} // namespace sinter
