// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/front_rows.h"

#include "driver/flags.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter {

static bool failFront(const Twine &what, const Twine &hint) {
  printError(what, hint);
  return false;
}

bool FrontRows::settle(const DecoderConfig &config) {
  if (plan.fronts.empty() || !wanted)
    return failFront(
        "--input " + arrays.front().name + ": the model has no front end that makes rows of it",
        "one lies beside the decoder: vision_encoder.onnx, audio_encoder.onnx, or as genai_config.json says");
  constexpr size_t alignment = 64;
  for (const HostArray &array : arrays) {
    bytes.resize(alignTo(bytes.size(), alignment));
    places.push_back(bytes.size());
    bytes += array.bytes;
  }
  std::string known;
  for (const EncodeProgram &front : plan.fronts)
    for (const InterfaceTensor &input : front.interface.inputs)
      known += (known.empty() ? "" : ", ") + input.name;
  for (const HostArray &array : arrays)
    if (none_of(plan.fronts, [&](const EncodeProgram &front) {
          return any_of(front.interface.inputs, [&](const InterfaceTensor &input) { return input.name == array.name; });
        }))
      return failFront("--input " + array.name + " is no input of the model's front ends", "they take " + known);
  for (const EncodeProgram &front : plan.fronts) {
    bool isSound = StringRef(front.prefix).ends_with("audio");
    if (!add(front, isSound ? config.soundToken : config.imageToken, isSound ? "audio" : "image", config.mergedPatches))
      return false;
  }
  if (hasGrid)
    printer.line("#define SINTER_GIVEN_PICTURES 1");
  auto block = printer.block("inline void callFronts(NET(_session) & session, const unsigned char *given, "
                             "std::vector<GivenRows> &made)");
  for (size_t i = 0; i < printed; ++i)
    printer.line("made.push_back(callFront", i, "(session, given));");
  return true;
}

const HostArray *FrontRows::find(const InterfaceTensor &input) const {
  const auto *found = find_if(arrays, [&](const HostArray &array) { return array.name == input.name; });
  return found == arrays.end() ? nullptr : found;
}

bool FrontRows::add(const EncodeProgram &front, std::optional<int64_t> token, StringRef name, int64_t merged) {
  if (none_of(front.interface.inputs, [&](const InterfaceTensor &input) { return find(input); }))
    return true;
  StringMap<int64_t> sizes;
  for (const InterfaceTensor &input : front.interface.inputs) {
    const HostArray *array = find(input);
    if (!array)
      return failFront("'" + input.name + "' is not given, which goes with the others",
                       "--input " + input.name + "=FILE.npy: " + describeTensor(input).text());
    if (!fits(front, input, *array, sizes))
      return failFront("--input " + input.name + " is " + describe(array->type, array->dims) +
                           ", and the model takes " + describeTensor(input).text(),
                       "--dim NAME=LOW..HIGH says how large a dim may be");
  }
  if (!token)
    return failFront("no configuration beside the model says which token of a prompt stands where rows go",
                     "config.json has it as " + name + "_token_id or " + name + "_token_index");
  const InterfaceTensor *rows = rowsOf(front);
  if (!rows)
    return failFront("what makes rows of '" + front.interface.inputs.front().name +
                         "' makes none that the decoder takes",
                     "they have its width, " + Twine(wanted->width) + ", and type");
  std::optional<PrintedCode> grids = gridsOf(front, merged);
  if (!grids)
    return failFront("rows of pictures have three positions each, and no input of '" +
                         front.interface.inputs.front().name + "' says how they lie",
                     "int64[pictures,3], called image_grid_thw, does: patches in time, rows and columns");
  print(front, *rows, *token, sizes, *grids);
  return true;
}

bool FrontRows::fits(const EncodeProgram &front, const InterfaceTensor &input, const HostArray &array,
                     StringMap<int64_t> &sizes) const {
  if (array.type != input.type || array.dims.size() != input.dims.size())
    return false;
  for (auto [size, dim] : zip(array.dims, input.dims)) {
    if (dim.size >= 0 ? size != dim.size : size < 0 || size > dim.max)
      return false;
    if (const SymbolicDim *symbol = front.interface.findDim(dim.symbol)) {
      auto [known, isNew] = sizes.try_emplace(symbol->name, size);
      if (known->second != size || size < symbol->min || size > symbol->max)
        return false;
    }
  }
  return true;
}

/// Of each picture frames, rows and columns; nothing where it should be known and is not.
std::optional<PrintedCode> FrontRows::gridsOf(const EncodeProgram &front, int64_t merged) const {
  PrintedCode grids;
  if (!hasGrid)
    return grids;
  for (const InterfaceTensor &input : front.interface.inputs) {
    const HostArray &array = *find(input);
    if (!StringRef(input.name).contains("grid") || array.dims.size() != 2 || array.dims.back() != 3)
      continue;
    for (int64_t i = 0; i < array.size(); i += 3)
      grids.append("{", static_cast<int64_t>(numberAt(array, i)), ", ",
                   static_cast<int64_t>(numberAt(array, i + 1)) / merged, ", ",
                   static_cast<int64_t>(numberAt(array, i + 2)) / merged, "}, ");
    return grids;
  }
  return std::nullopt;
}

const InterfaceTensor *FrontRows::rowsOf(const EncodeProgram &front) const {
  for (const InterfaceTensor &output : front.interface.outputs)
    if (output.type == wanted->type && output.dims.size() >= 2 && output.dims.back().size == wanted->width)
      return &output;
  return nullptr;
}

void FrontRows::print(const EncodeProgram &front, const InterfaceTensor &rows, int64_t token,
                      const StringMap<int64_t> &sizes, const PrintedCode &grids) {
  Identifier own = ModelNames(front.prefix).prefix;
  auto block = printer.block("inline GivenRows callFront", printed++,
                             "(NET(_session) & session, [[maybe_unused]] const unsigned char *given)");
  printer.line(own, "_inputs in = {};");
  printer.line(own, "_outputs out = {};");
  for (const InterfaceTensor &input : front.interface.inputs) {
    auto index = static_cast<size_t>(find(input) - arrays.begin());
    printer.line("in.", input.place(), " = reinterpret_cast<const ", abiText(input.type), " *>(given + ", places[index],
                 ");");
  }
  for (const SymbolicDim &dim : front.interface.dims)
    if (auto size = sizes.find(dim.name); size != sizes.end())
      printer.line("in.", dim.member, " = ", size->second, ";");
  int64_t items = 0; // pictures [items, channels, rows, columns]
  for (const InterfaceTensor &input : front.interface.inputs)
    if (const HostArray *array = find(input); array && array->dims.size() == 4)
      items = array->dims.front();
  PrintedCode count(1), made;
  for (auto [i, output] : enumerate(front.interface.outputs)) {
    printer.line("std::vector<", abiText(output.type), "> made", i, "(", output.maxElements(), ");");
    printer.line("out.", output.place(), " = made", i, ".data();");
    if (&output != &rows)
      continue;
    made = PrintedCode("made", i);
    for (size_t j = 0; j + 1 < output.dims.size(); ++j)
      if (output.dims[j].size >= 0)
        count.append(" * ", output.dims[j].size);
      else
        count.append(" * static_cast<size_t>(out.", *output.dimsMember, "[", j, "])");
  }
  printer.line("if (const int status = ", own, "_in_session(&session, &in, &out))");
  printer.line("  endWithStatus(status);");
  printer.line("return {", token, ", ", count, ", std::move(", made, "), {", grids, "}, ", items, "};");
}

} // namespace sinter
