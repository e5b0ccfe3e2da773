// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fewer products than taps for two outputs a dim: templates/panels/conv_winograd.h.
#include "templates/panels/conv_winograd.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/panel_count.h"
#include "kernels/panels/support/tile.h"
#include "kernels/panels/support/winograd_cost.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleConvWinograd(ConvOp op, const Target &, StringRef &whyNot) {
  return asPacked(op, "conv_winograd", whyNot);
}

int64_t tilesOfWinograd(ConvOp op) { return op.getKernelAttr().number("tiles"); }

/// Floats.
int64_t scratchOfShareOf(ConvOp op) {
  ArrayRef<int64_t> filter = cast<ShapedType>(op.getFilter().getType()).getShape();
  int64_t columns = filter.back(), channels = filter[filter.size() - 2];
  WinogradTiling tiling = winogradTilingOf(op);
  return convWinogradScratch(tiling.y, tiling.x, channels, tilesOfWinograd(op), columns);
}

KernelScratch scratchOfConvWinograd(ConvOp op, const Target &) { return {scratchOfShareOf(op) * 4, 32}; }

std::optional<double> estimateConvWinograd(ConvOp op, const Target &target) {
  return winogradCycles(op, winogradTilingOf(op), target, columnsOfPanels(op));
}

/// The template's type of a dim.
CallArgument formOf(MLIRContext *context, WinogradTaps taps) {
  std::string text = "WinogradF<" + std::to_string(taps.outputs()) + ", " + std::to_string(taps.taps) + ">";
  return named(StringAttr::get(context, text).getValue());
}

ContractionCall callOfConvWinograd(ConvOp op, const Target &target) {
  int64_t columns = columnsOfPanels(op);
  WinogradTiling tiling = winogradTilingOf(op);
  constexpr StringRef numbers[] = {"", "one", "two", "", "four", "", "", "", "eight"};
  ContractionCall call;
  call.kind = "conv";
  call.why = "channels in blocks: " + std::to_string(tiling.y.products() * tiling.x.products()) + " products for " +
             numbers[tiling.y.outputs() * tiling.x.outputs()].str() + " outputs";
  call.headers = {"templates/panels/conv_winograd.h"};
  call.function = "convWinograd";
  call.templateArguments = {formOf(op.getContext(), tiling.y), formOf(op.getContext(), tiling.x),
                            numbered(rowsOfTile(target, columns)), numbered(columns), numbered(tilesOfWinograd(op))};
  // A line is a row of the templates': its own rows are their columns. Volumes are not tiled.
  size_t dims = op.getStrides().size();
  bool isLine = dims == 1;
  CallArgument none = named("Fixed<0>{}");
  call.arguments = {Arg::Shape,
                    Arg::Input,
                    Arg::Weights,
                    Arg::Output,
                    scratchAs("float"),
                    Arg::Rows,
                    dims == 2 ? CallArgument(Arg::RowPhase) : none,
                    isLine ? CallArgument(Arg::RowPhase) : none,
                    Arg::Epilogue};
  call.rows = isLine ? 1 : tiling.rowsTogether(2);
  call.panels = panelsOf(op);
  call.scratchOfShare = scratchOfShareOf(op);
  return call;
}

} // namespace

Kernel conv_winograd_kernel() {
  return {"conv_winograd", 0,
          ConvKernel{settleConvWinograd, callOfConvWinograd, scratchOfConvWinograd, nullptr, estimateConvWinograd}};
}

} // namespace sinter
