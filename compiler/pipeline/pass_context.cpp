// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass_context.h"

#include "cuda/gpu.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr StringRef fitNames[] = {"balanced", "speed", "ram"}; // in the order of Fit
constexpr StringRef requantNames[] = {"float", "fixed"};       // in that of Requant
constexpr StringRef vectorsAlone = "{name: vectors, base: x86-64-v4, byte_kernels: none}";

/// The place of the attribute's text among `names`; 0 without one.
template <class Enum, size_t count>
Enum readEnum(ModuleOp module, StringRef attribute, const StringRef (&names)[count]) {
  auto text = module->getAttrOfType<StringAttr>(attribute);
  const StringRef *found = text ? llvm::find(names, text.getValue()) : std::begin(names);
  return found == std::end(names) ? Enum() : static_cast<Enum>(found - std::begin(names));
}

std::optional<int64_t> readNumber(ModuleOp module, StringRef attribute) {
  auto number = module->getAttrOfType<IntegerAttr>(attribute);
  return number ? std::optional(number.getInt()) : std::nullopt;
}

} // namespace

void noteContext(ModuleOp module, const PassContext &context) {
  Builder b(module.getContext());
  auto note = [&](StringRef name, Attribute value) {
    if (value)
      module->setAttr(name, value);
    else
      module->removeAttr(name);
  };
  auto noteNumber = [&](StringRef name, std::optional<int64_t> number) {
    note(name, number ? b.getI64IntegerAttr(*number) : Attribute());
  };
  auto noteChoice = [&](StringRef name, auto choice, ArrayRef<StringRef> names) {
    note(name, static_cast<size_t>(choice) ? b.getStringAttr(names[static_cast<size_t>(choice)]) : Attribute());
  };
  note("sinter.target", b.getStringAttr(context.target.name));
  noteChoice("sinter.fit", context.fit, fitNames);
  noteChoice("sinter.requant", context.requant, requantNames);
  noteNumber("sinter.threads", context.threads.count > 1 ? std::optional(context.threads.count) : std::nullopt);
  noteNumber("sinter.fold_steps", context.foldLimit.steps);
  noteNumber("sinter.row_tiling_bytes", context.rowTilingBudget.bytes);
  note("sinter.maps_apart", context.rowTilingBudget.mapsApart ? b.getUnitAttr() : Attribute());
}

FailureOr<PassContext> contextOf(ModuleOp module) {
  PassContext context;
  auto name = module->getAttrOfType<StringAttr>("sinter.target");
  std::string problem;
  std::optional<Target> target = findAnyTarget(name ? name.getValue() : vectorsAlone, problem);
  if (!target)
    return module.emitError(problem);
  context.target = *target;
  context.fit = readEnum<Fit>(module, "sinter.fit", fitNames);
  context.requant = readEnum<Requant>(module, "sinter.requant", requantNames);
  context.threads.count = readNumber(module, "sinter.threads").value_or(1);
  context.foldLimit.steps = readNumber(module, "sinter.fold_steps");
  context.rowTilingBudget = {readNumber(module, "sinter.row_tiling_bytes"), module->hasAttr("sinter.maps_apart")};
  return context;
}

} // namespace sinter
