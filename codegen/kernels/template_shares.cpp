// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "template_shares.h"

#include "codegen/bodies/dim_to_share.h"
#include "ir/template_places.h"
#include "ir/work.h"

using namespace mlir;

namespace sinter {
namespace {

/// Of each operand in order: the view, and where it lies.
struct PlacedOperand {
  View view;
  PlaceOfOperand place;
};

std::vector<PlacedOperand> operandsOf(const TemplateCall &kernel, const TemplatePlaces &places,
                                      KernelFunction &function) {
  std::vector<PlacedOperand> operands;
  auto append = [&](ArrayRef<Value> values, const std::vector<PlaceOfOperand> &places) {
    for (auto [i, value] : llvm::enumerate(values))
      operands.push_back({isa<MemRefType>(value.getType()) ? function.values().view(value) : View(),
                          i < places.size() ? places[i] : PlaceOfOperand()});
  };
  append(kernel.inputs, places.inputs);
  append(kernel.inits, places.outputs);
  return operands;
}

/// Whether a part of each operand can be had along that dim: all have as many numbers of it, or one for all.
bool canCut(ArrayRef<PlacedOperand> operands, unsigned number, const SizeExpr &size) {
  return llvm::all_of(operands, [&](const PlacedOperand &operand) {
    return llvm::all_of(operand.place, [&](auto dims) {
      if (dims.second != number || operand.view.sizes.empty())
        return true;
      const SizeExpr &own = operand.view.sizes[dims.first];
      return own.isConstant(1) || own == size;
    });
  });
}

bool isMuchWork(Operation *op, ArrayRef<PlacedOperand> operands, int64_t leastWork) {
  constexpr int64_t usual = 16; // of a size that is not known
  const int64_t least = leastWork / 4;
  if (Work().macsOf(op) >= leastWork)
    return true;
  return llvm::any_of(operands, [&](const PlacedOperand &operand) {
    int64_t elements = operand.view.sizes.empty() ? 0 : 1;
    for (const SizeExpr &size : operand.view.sizes)
      elements *= size.constant().value_or(usual);
    return elements >= least;
  });
}

} // namespace

TemplateShare shareTemplate(Operation *op, const TemplateCall &kernel, const CodegenOptions &options,
                            KernelFunction &function) {
  const TemplatePlaces *places = templatePlacesOf(kernel.name);
  if (!places || options.threads <= 1)
    return {};
  std::vector<PlacedOperand> operands = operandsOf(kernel, *places, function);
  if (!isMuchWork(op, operands, options.leastSharedWork))
    return {};
  const View &output = operands[kernel.inputs.size()].view;
  SmallVector<SizeExpr> sizes;
  for (unsigned dim : places->dims)
    sizes.push_back(output.sizes[dim]);
  std::optional<unsigned> chosen =
      dimToShare(sizes, options.threads, [&](unsigned number) { return canCut(operands, number, sizes[number]); });
  if (!chosen)
    return {};
  const SizeExpr &size = sizes[*chosen];
  auto [first, last] = function.share(size);
  TemplateShare share;
  if (*chosen + 1 == sizes.size())
    share.size = {places->sizeParam, function.local(size)};
  std::vector<ViewParts> &parts = share.parts;
  for (const PlacedOperand &operand : operands) {
    ViewParts &own = parts.emplace_back();
    for (auto [dim, number] : operand.place)
      if (number == *chosen && operand.view.sizes[dim] == size)
        own.push_back({dim, SizeExpr(first), PrintedCode(last, " - ", first)});
  }
  if (places->hasScratch)
    parts.back() = {{0, SizeExpr(function.shareNumber()), PrintedCode(1)}};
  return share;
}

} // namespace sinter
