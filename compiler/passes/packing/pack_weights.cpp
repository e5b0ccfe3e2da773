// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant right-hand sides of matrix products and filters of convolutions get the order that their kernels read, at
// compile time:
//   matmul   [k, n]            -> [ceil(n / NR), k, NR], zeros behind n                      kernel "gemm"
//            to few columns, of which panels would be mostly empty:
//            [k, n]            -> [n, k]                                                      its transpose, no kernel yet
//            of bf16, where an instruction multiplies small matrices of them:
//            [k, n]            -> [ceil(n / NR), ceil(k / 4), NR, 4], zeros behind n and k    kernel "bf16_gemm"
//   conv, input in channel blocks:
//            [k, c, taps...]   -> [ceil(k / NR), taps..., c, NR]                             kernel "conv"
//            the same in g groups -> [g, ceil(k / g / NR), taps..., c, NR]                   kernel "conv"
//            where tile registers are faster                                                 kernel "term_conv"
//   conv that Winograd's products make faster (kernels/panels/support/winograd_cost.h), each filter and channel g as G g G', products of y by
//   products of x (templates/panels/winograd_taps.h):
//            [k, c, 3, 3]      -> the same with [4, 4] or [4, 6] in place of taps            kernel "conv_winograd"
//            [k, c, 5]         -> the same with [7]
//            [k, c, 1, 3, 3]   -> the same with [1, 4, 4] or [1, 4, 6]
//   conv to few filters, of which panels would be mostly empty:
//            [k, c, taps...]   -> [k, taps..., c]                                            kernel "conv_dots"
//   conv, input with plain channels, g groups (each filled up):
//            [k, c, taps...]   -> [g, ceil(k / g / NR), c, taps..., NR]                      kernel "conv_planar"
//   depthwise [k, 1, taps...]  -> [taps..., k]                                               kernel "depthwise"
//            in small groups [k, c, taps...] -> [taps..., c, k]                              kernel "depthwise"
//            of m times as many filters as channels [g m c', c, taps...] -> [taps..., c, m, g, c'] kernel "depthwise"
//   matmul by weights that share scales in blocks: support/pack_blocks.h                     kernel "block_gemm"
// For GPUs: support/pack_for_gpu.h.
// NR is the target's tile width or a single vector for few columns.
#include "passes/passes.h"

#include "kernels/panels/support/tile.h"
#include "kernels/panels/support/winograd_cost.h"

#include "ir/spreads.h"
#include "kernels/tuning_site.h"
#include "passes/layout/support/blocked_layout.h"
#include "passes/packing/support/pack_blocks.h"
#include "passes/packing/support/pack_for_gpu.h"
#include "passes/packing/support/panel_choice.h"
#include "passes/support/contractions.h"

#include "builders/tensors.h"
#include "interpreter/interpreter.h"

using namespace mlir;

namespace sinter {
namespace {

struct PanelPacker {
  OpBuilder &b;
  Location loc;
  int64_t columns;

  Tensors tensors() const { return {b, loc}; }
  ElementType elementOf(Value value) const { return elementTypeOf(cast<ShapedType>(value.getType()).getElementType()); }

  /// The last dim filled up with zeros to a multiple of the panel's width.
  Tensor filledUp(Tensor x) const { return filledUp(x, x.rank() - 1, columns); }
  Tensor filledUp(Tensor x, int64_t dim, int64_t multiple) const {
    int64_t size = x.shape()[dim], wanted = llvm::divideCeil(size, multiple) * multiple;
    SmallVector<Size> low(x.rank(), b.getIndexAttr(0)), high = low;
    high[dim] = b.getIndexAttr(wanted - size);
    Value zero = b.create<arith::ConstantOp>(loc, b.getZeroAttr(x.type().getElementType()));
    return tensors().pad(x, low, high, zero);
  }
  Tensor reshaped(Tensor x, ArrayRef<int64_t> shape) const { return tensors().reshape(x, sizesOf(b, shape)); }

  using Dims = SmallVector<SmallVector<int64_t>>;
  /// The dims of a filter's taps behind those of its filters and channels.
  static Dims withTaps(Dims dims, int64_t first, int64_t spatial) {
    for (int64_t d = 0; d < spatial; ++d)
      dims.push_back({first + d});
    return dims;
  }
  /// `dims`: the packed dims that make each dim of the operand.
  KernelAttr kernel(StringRef name, const Dims &dims) const {
    SmallVector<Attribute> each;
    for (ArrayRef<int64_t> some : dims)
      each.push_back(b.getDenseI64ArrayAttr(some));
    return KernelAttr::get(b.getContext(), name, b.getDictionaryAttr(b.getNamedAttr("dims", b.getArrayAttr(each))));
  }

  /// A right-hand side as [k, n].
  Tensor rowsOfRhs(MatmulOp matmul) const {
    Tensor rhs{matmul.getRhs(), elementOf(matmul.getRhs())};
    return matmul.getTransposeRhs() ? tensors().transpose(rhs, {1, 0}) : rhs;
  }
  /// [k, n] (already in that order) -> panels.
  Value panels(Tensor kn) const {
    Tensor filled = filledUp(kn);
    int64_t k = filled.shape()[0], n = filled.shape()[1];
    return tensors().transpose(reshaped(filled, {k, n / columns, columns}), {1, 0, 2}).value;
  }
  /// [k, n] -> panels with `together` of each column beside each other.
  Value panelsOf(Tensor kn, int64_t together) const {
    Tensor filled = filledUp(filledUp(kn), 0, together);
    int64_t k = filled.shape()[0], n = filled.shape()[1];
    return tensors().transpose(reshaped(filled, {k / together, together, n / columns, columns}), {2, 0, 3, 1}).value;
  }
};

/// [k, c, taps...] -> [k, c, products...], each G g G'. Made when weights are written, by an op of the interpreter's
/// own: as loop nests it would take several times the memory.
Tensor winogradFilters(const Tensors &tensors, Tensor filter, const WinogradTiling &tiling) {
  SmallVector<int64_t> shape(filter.shape());
  shape.back() = tiling.x.products();
  if (shape.size() == 4)
    shape[2] = tiling.y.products();
  Tensor empty = tensors.empty(sizesOf(tensors.b, shape), ElementType::Float);
  auto op = tensors.b.create<KernelOp>(tensors.loc, empty.type(), "pack_winograd", filter.value, empty.value,
                                       tensors.b.getDictionaryAttr({}), "ss");
  return {op.getResult(0), ElementType::Float};
}

bool isConstantTensor(Value value, EvaluationCache &cache) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && isConstant(value, cache);
}

void packPanelMatmul(MatmulOp matmul, int64_t columns) {
  OpBuilder b(matmul);
  PanelPacker packer{b, matmul.getLoc(), columns};
  matmul.getRhsMutable().assign(packer.panels(packer.rowsOfRhs(matmul)));
  matmul.setTransposeRhs(false);
  matmul.setKernelAttr(packer.kernel("gemm", {{1}, {0, 2}}));
}

void packSquares(MatmulOp matmul, int64_t columns) {
  constexpr int64_t together = 4;
  OpBuilder b(matmul);
  PanelPacker packer{b, matmul.getLoc(), columns};
  matmul.getRhsMutable().assign(packer.panelsOf(packer.rowsOfRhs(matmul), together));
  matmul.setTransposeRhs(false);
  matmul.setKernelAttr(packer.kernel("bf16_gemm", {{1, 3}, {0, 2}}));
}

/// [k, n] -> [n, k], of which products are made along k.
void packRows(MatmulOp matmul) {
  if (matmul.getTransposeRhs())
    return;
  OpBuilder b(matmul);
  PanelPacker packer{b, matmul.getLoc(), 1};
  Tensor rhs{matmul.getRhs(), packer.elementOf(matmul.getRhs())};
  matmul.getRhsMutable().assign(packer.tensors().transpose(rhs, {1, 0}).value);
  matmul.setTransposeRhs(true);
}

/// [k, c, taps] -> [k, taps, c].
void packDots(ConvOp conv, int64_t lanes) {
  OpBuilder b(conv);
  PanelPacker packer{b, conv.getLoc(), 1};
  Tensor filter{conv.getFilter(), packer.elementOf(conv.getFilter())};
  int64_t spatial = filter.rank() - 2;
  SmallVector<int64_t> order = {0};
  for (int64_t d = 0; d < spatial; ++d)
    order.push_back(2 + d);
  order.push_back(1);
  conv.getFilterMutable().assign(packer.tensors().transpose(filter, order).value);
  conv.setKernelAttr(packer.kernel("conv_dots", packer.withTaps({{0}, {spatial + 1}}, 1, spatial))
                         .with("lanes", b.getI64IntegerAttr(lanes)));
}

/// Winograd's, as papers write it: F(2x4, 3x3), F(2, 5).
std::string transformName(const WinogradTiling &tiling, size_t dims) {
  auto times = [&](int y, int x) { return (dims > 1 ? std::to_string(y) + "x" : "") + std::to_string(x); };
  return "F(" + times(tiling.y.outputs(), tiling.x.outputs()) + ", " + times(tiling.y.taps, tiling.x.taps) + ")";
}

/// Whether in panels, which each channel's own filters are not. `winograd`: what the panels' width has no say in, since
/// sums differ by it.
bool packPanelConvolution(ConvOp conv, const Target &target, Fit fit, int64_t columns,
                          const std::optional<WinogradTiling> &winograd) {
  bool byTerms = !winograd && isFasterByTerms(conv, target, columns);
  OpBuilder b(conv);
  PanelPacker packer{b, conv.getLoc(), columns};
  Tensors tensors = packer.tensors();
  Tensor filter{conv.getFilter(), packer.elementOf(conv.getFilter())};
  SmallVector<int64_t> shape(filter.shape());
  int64_t spatial = filter.rank() - 2, group = conv.getGroup();
  bool isPlain = conv.getLayout().starts_with("nchw") && !conv.getLayout().starts_with("nchwc");
  int tiles = winograd ? winogradTilesOf(conv, *winograd, target, fit, columns) : 0;
  SmallVector<int64_t> given(shape.begin() + 2, shape.end());
  if (winograd) {
    bool isVolume = spatial == 3; // with one tap of depth
    if (isVolume)
      filter = packer.reshaped(filter, {shape[0], shape[1], shape[3], shape[4]});
    filter = winogradFilters(tensors, filter, *winograd);
    shape.assign(filter.shape().begin(), filter.shape().end());
    if (isVolume) {
      shape.insert(shape.begin() + 2, 1);
      filter = packer.reshaped(filter, shape);
    }
  }
  SmallVector<int64_t> taps(shape.begin() + 2, shape.end());
  SmallVector<int64_t> order;
  bool isSmall = isInSmallGroups(conv, target), isPerChannel = group != 1 && shape[1] == 1;
  if (!isPlain && (isSmall || (isPerChannel && shape[0] == group))) {
    // [g, m, c, channels, taps] -> [taps, channels, m, g, c]: of as many filters as channels [taps, channels, k], of
    // one channel [taps, k]
    int64_t perChannel = shape[0] / (group * shape[1]);
    SmallVector<int64_t> split = {group, perChannel, shape[1], shape[1]};
    split.append(taps);
    for (int64_t d = 0; d < spatial; ++d)
      order.push_back(4 + d);
    order.append({3, 1, 0, 2});
    Tensor packed = tensors.transpose(packer.reshaped(filter, split), order);
    PanelPacker::Dims dims = {{spatial + 2, spatial + 1, spatial + 3}, {spatial}};
    if (perChannel == 1) {
      SmallVector<int64_t> joined(taps);
      dims = {{spatial}, {}};
      if (!isPerChannel) {
        joined.push_back(shape[1]);
        dims = {{spatial + 1}, {spatial}};
      }
      joined.push_back(shape[0]);
      packed = packer.reshaped(packed, joined);
    }
    conv.getFilterMutable().assign(packed.value);
    conv.setKernelAttr(packer.kernel("depthwise", packer.withTaps(dims, 0, spatial)));
    return false;
  }
  // [g, k/g, c, taps] -> [g, c, taps, k/g] filled up -> [g, c, taps, P, NR]
  SmallVector<int64_t> split = {group, shape[0] / group, shape[1]};
  split.append(taps);
  order = {0, 2};
  for (int64_t d = 0; d < spatial; ++d)
    order.push_back(3 + d);
  order.push_back(1);
  Tensor x = packer.filledUp(tensors.transpose(packer.reshaped(filter, split), order));
  split = {group, shape[1]};
  split.append(taps);
  split.append({x.shape().back() / columns, columns});
  x = packer.reshaped(x, split);
  int64_t panel = 2 + spatial;
  order = {0, panel};
  if (isPlain) // [g, P, c, taps, NR]
    order.push_back(1);
  for (int64_t d = 0; d < spatial; ++d)
    order.push_back(2 + d);
  if (!isPlain) // [g, P, taps, c, NR], without g where there is one
    order.push_back(1);
  order.push_back(panel + 1);
  x = tensors.transpose(x, order);
  if (!isPlain && group == 1)
    x = packer.reshaped(x, ArrayRef<int64_t>(x.shape()).drop_front());
  conv.getFilterMutable().assign(x.value);
  int64_t last = x.rank() - 1;
  StringRef kernel = winograd ? "conv_winograd" : byTerms ? "term_conv" : "conv";
  if (isPlain)
    conv.setKernelAttr(packer.kernel("conv_planar", packer.withTaps({{0, 1, last}, {2}}, 3, spatial)));
  else if (group == 1)
    conv.setKernelAttr(packer.kernel(kernel, packer.withTaps({{0, last}, {last - 1}}, 1, spatial)));
  else
    conv.setKernelAttr(packer.kernel(kernel, packer.withTaps({{0, 1, last}, {last - 1}}, 2, spatial)));
  if (winograd)
    conv.setKernelAttr(conv.getKernelAttr()
                           .with("taps", b.getDenseI64ArrayAttr(given))
                           .with("transform", b.getStringAttr(transformName(*winograd, given.size())))
                           .with("columns_together", b.getI64IntegerAttr(winograd->x.outputs()))
                           .with("rows_together", b.getI64IntegerAttr(winograd->rowsTogether(given.size())))
                           .with("tiles", b.getI64IntegerAttr(tiles)));
  return true;
}

} // namespace

static int64_t columnsIn(const TuningSite &site) {
  int64_t columns = 0;
  StringRef(site.options[site.taken]).getAsInteger(10, columns);
  return columns;
}

/// In panels, but where each channel has filters of its own (which have one order).
static void packConvolution(ConvOp conv, const Target &target, Fit fit, int64_t columns, const TunedChoices &tuned) {
  auto type = cast<RankedTensorType>(conv.getFilter().getType());
  auto group = static_cast<int64_t>(conv.getGroup());
  int64_t n = type.getDimSize(0) / group;
  bool hasOneTap = llvm::all_of(type.getShape().drop_front(2), [](int64_t size) { return size == 1; });
  int64_t width = hasOneTap ? panelColumnsOfTaps(n, columns, target) : panelColumns(n, columns);
  TuningSite site("panels", conv, panelOptions(target, n, width), tuned);
  if (packPanelConvolution(conv, target, fit, columnsIn(site), winogradFor(conv, target, width)))
    conv.setKernelAttr(site.notedIn(conv.getKernelAttr(), tuned));
}

LogicalResult packWeights(ModuleOp module, const Target &target, Fit fit, const TunedChoices &tuned) {
  int64_t columns = tileFor(target).columns;
  EvaluationCache cache;
  for (Operation *op : contractionsOf(module)) {
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      auto type = dyn_cast<RankedTensorType>(matmul.getRhs().getType());
      if (type && type.getRank() == 2 && !matmul.getKernelAttr() && isa<FloatType>(type.getElementType()) &&
          isConstantTensor(matmul.getRhs(), cache)) {
        int64_t n = type.getDimSize(matmul.getTransposeRhs() ? 0 : 1);
        int64_t width = panelColumns(n, tileFor(target, matmul.accumulatorType()).columns);
        if (target.isGpu())
          packForGpu(matmul, target);
        else if (isForSquares(matmul, target))
          packSquares(matmul, panelColumns(n, 4 * target.lanes()));
        else if (packBlocks(matmul, width, cache))
          continue;
        else if (suitsDots(matmul, target, n, width))
          packRows(matmul);
        else {
          TuningSite site("panels", matmul, panelOptions(target, n, width), tuned);
          std::optional<int64_t> rowsForTerms = leastRowsOfTerms(matmul, target, columnsIn(site));
          packPanelMatmul(matmul, columnsIn(site));
          matmul.setKernelAttr(site.notedIn(matmul.getKernelAttr(), tuned));
          if (rowsForTerms)
            matmul.setKernelAttr(
                matmul.getKernelAttr().with("terms", Builder(matmul.getContext()).getI64IntegerAttr(*rowsForTerms)));
        }
      }
    } else if (auto conv = dyn_cast<ConvOp>(op)) {
      auto type = dyn_cast<RankedTensorType>(conv.getFilter().getType());
      int64_t mostSpatial = target.isGpu() ? 2 : 3;
      bool hasKernel = type && type.getRank() - 2 <= mostSpatial && isa<FloatType>(type.getElementType());
      bool isPacked = hasKernel && !conv.getKernelAttr() && isConstantTensor(conv.getFilter(), cache);
      if (isPacked && target.isGpu())
        packForGpu(conv, target);
      else if (std::optional<int64_t> lanes = isPacked ? lanesOfDots(conv, target) : std::nullopt)
        packDots(conv, *lanes);
      else if (isPacked && !fitsRows(conv, target, columns))
        packConvolution(conv, target, fit, columns, tuned);
    }
  }
  return success();
}

} // namespace sinter
