// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types and sizes.
#include "tensor.h"

#include <algorithm>
#include <cstring>
#include <nanobind/stl/string.h>

namespace sinter_python {
namespace {
/// How numpy and the buffer protocol call an element type; null where they do not.
struct Element {
  int bits;
  const char *numpy;
  const char *formats; ///< one of these characters; of complex numbers the one behind Z
};
constexpr Element elements[] = {
    {0, nullptr, ""},     {32, "float32", "f"}, {8, "uint8", "B"},      {8, "int8", "b"},
    {16, "uint16", "H"},  {16, "int16", "h"},   {32, "int32", "il"},    {64, "int64", "lq"},
    {128, "object", ""},  {8, "bool", "?"},     {16, "float16", "e"},   {64, "float64", "d"},
    {32, "uint32", "IL"}, {64, "uint64", "LQ"}, {64, "complex64", "f"}, {128, "complex128", "d"}};
/// Behind them: bfloat16, float8 in four kinds, uint4, int4, float4, float8e8m0, uint2, int2, float6 in two kinds.
constexpr int rawBits[] = {16, 8, 8, 8, 8, 4, 4, 4, 8, 2, 2, 8, 8};
constexpr int numpyTypes = sizeof elements / sizeof *elements;
constexpr int allTypes = numpyTypes + sizeof rawBits / sizeof *rawBits;

bool isComplex(int type) { return type == 14 || type == 15; }
int bitsOf(int type) { return type < numpyTypes ? elements[type].bits : rawBits[type - numpyTypes]; }

std::string textOf(const char *text) { return text ? text : ""; }
} // namespace

bool Tensor::isFixed() const {
  return std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size >= 0; });
}

bool Tensor::isPacked() const { return bitsOf(type) < 8; }

bool Tensor::isRaw() const { return type >= numpyTypes || isString(); }

size_t Tensor::bytes(int64_t count) const { return static_cast<size_t>((count * bitsOf(type) + 7) / 8); }

size_t Tensor::alignment() const {
  if (isString())
    return alignof(sinter_string);
  const size_t whole = bytes(1);
  return isComplex(type) ? whole / 2 : whole;
}

bool Tensor::takes(const char *format, int64_t itemBytes) const {
  if (format && (*format == '@' || *format == '=' || *format == '<')) // little-endian, as all wheels are
    ++format;
  if (type >= numpyTypes) // bits
    return bitsOf(type) >= 8 && itemBytes * 8 == bitsOf(type) &&
           (format ? *format == (itemBytes == 2 ? 'H' : 'B') : itemBytes == 1);
  if (itemBytes * 8 != elements[type].bits)
    return false;
  if (!format)
    return type == 2;
  if (isComplex(type) && *format++ != 'Z')
    return false;
  return *format && std::strchr(elements[type].formats, *format) && !format[1];
}

Tensor describe(const sinter_tensor_info &info, const sinter_model_info &model) {
  Tensor tensor;
  tensor.name.assign(info.name, info.name_size);
  tensor.type = info.element_type;
  if (tensor.type <= 0 || tensor.type >= allTypes)
    throw nb::type_error(
        ("'" + tensor.name + "' has an element type that this version of sinter does not know").c_str());
  if (info.state) {
    tensor.stateOutput.assign(info.state, info.state_size);
    tensor.stateIndex = info.state_index;
  }
  tensor.arenaOffset = info.arena_offset;
  tensor.scale = static_cast<double>(info.scale);
  tensor.zeroPoint = info.zero_point;
  tensor.part = textOf(info.part);
  if (info.part) // parts have one name in the model
    tensor.name += "." + tensor.part;
  for (int d = 0; d < info.rank; ++d) {
    const std::string symbol = info.dim_names ? textOf(info.dim_names[d]) : "";
    const bool grows = info.dims[d] >= 0 && !symbol.empty();
    if (grows)
      tensor.growingDim = d;
    int index = info.dims[d] >= 0 && !grows ? Tensor::Fixed : Tensor::Computed;
    for (int i = 0; index == Tensor::Computed && i < model.dim_count; ++i)
      if (symbol == model.dims[i].name)
        index = i;
    tensor.sizes.push_back(info.dims[d]);
    tensor.symbols.push_back(index);
    tensor.dimNames.push_back(symbol);
    const int64_t bound = info.max_dims ? info.max_dims[d] : info.dims[d];
    tensor.largest.push_back(index >= 0 && !grows ? model.dims[index].max : bound);
  }
  tensor.key =
      nb::steal(PyUnicode_DecodeUTF8(tensor.name.data(), static_cast<Py_ssize_t>(tensor.name.size()), "replace"));
  if (!tensor.key.is_valid())
    throw nb::python_error();
  PyObject *key = tensor.key.release().ptr();
  PyUnicode_InternInPlace(&key);
  tensor.key = nb::steal(key);
  const char *dtype = tensor.type < numpyTypes    ? elements[tensor.type].numpy
                      : bitsOf(tensor.type) == 16 ? "uint16"
                                                  : "uint8";
  tensor.dtype = nb::module_::import_("numpy").attr("dtype")(dtype);
  if (tensor.isFixed()) {
    nb::list sizes;
    for (int64_t size : tensor.sizes)
      sizes.append(size);
    tensor.shape = nb::tuple(sizes);
  }
  return tensor;
}

nb::dict toPython(const Tensor &tensor) {
  nb::list sizes, largest, names;
  for (size_t d = 0; d < tensor.sizes.size(); ++d) {
    sizes.append(static_cast<int>(d) == tensor.growingDim ? -1 : tensor.sizes[d]);
    largest.append(tensor.largest[d]);
    names.append(tensor.dimNames[d]);
  }
  nb::dict made;
  made["name"] = tensor.key;
  made["type"] = tensor.type;
  made["sizes"] = nb::tuple(sizes);
  made["largest"] = nb::tuple(largest);
  made["dim_names"] = nb::tuple(names);
  made["state_output"] = tensor.stateOutput;
  made["state_index"] = tensor.stateIndex;
  made["growing_dim"] = tensor.growingDim;
  made["scale"] = tensor.scale;
  made["zero_point"] = tensor.zeroPoint;
  made["part"] = tensor.part;
  return made;
}

} // namespace sinter_python
