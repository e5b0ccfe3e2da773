// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions of bytes for cores with dual 16-bit multiply-adds (ByteKernels::Dual). After all fusion:
//   conv       filter -> [groups, words]      kernel "dual_conv"
//              filter -> [groups, words]      kernel "dual_winograd" where winograd_choice.h says so
//   depthwise  filter -> [channels, words]    kernel "dual_depthwise"
//   matmul     rhs    -> [groups, 1, words]   kernel "dual_matmul"
// Words are made when weights are written, by ops that the interpreter knows (interpreter/kernels/pack_dual_*.cpp): the
// IR has the weights as they came. Sums of pixels become kernels (pack_sums.h). Where the epilogue rescales to one
// element (step_function.h), that moves into the words, and `rescale` = [zero, low, high] says so: the region takes the
// element and narrows it, or adds a residual to it. `proved`: how many groups have factors proved exact. `choice`: why
// a convolution is the one or the other, for the report.
//
// Preconditions: feature maps channels-last in one block, or planes of a plain input, with all sizes known but the rows
// of a row tile; weights known, and less their zero point signed bytes; sums of 32 bits.
#include "kernels/dual/support/dual_cost.h"
#include "kernels/dual/support/dual_packing.h"
#include "passes/packing/support/byte_contractions.h"
#include "passes/packing/support/pack_sums.h"
#include "passes/passes.h"
#include "passes/quantized/support/rescaling.h"

#include "passes/packing/support/winograd_candidates.h"
#include "passes/support/contractions.h"

using namespace mlir;

namespace sinter {
namespace {

/// The height of a two-dimensional map may be a run-time number, as in row tiles.
bool hasKnownWidth(RankedTensorType map, size_t spatial) {
  for (int64_t d = 0; d < map.getRank(); ++d)
    if (map.getDimSize(d) == 0 || (map.isDynamicDim(d) && !(spatial == 2 && d == 2)))
      return false;
  return true;
}

/// The shape of a convolution that kernels of dual multiply-adds compute.
std::optional<DualShape> packableShapeOf(ConvOp conv) {
  auto input = dyn_cast<RankedTensorType>(conv.getInput().getType()),
       output = dyn_cast<RankedTensorType>(conv.getInits()[0].getType()),
       filter = dyn_cast<RankedTensorType>(conv.getFilter().getType());
  size_t spatial = conv.getStrides().size();
  bool isPlanar = conv.inputLayout() == "nchw";
  if (!input || !output || !filter || spatial > 2 || conv.outputLayout() != "nchwc" || conv.getKernelAttr() ||
      !(isPlanar ? spatial == 2 && conv.getGroup() == 1 : conv.inputLayout() == "nchwc" && input.getDimSize(1) == 1) ||
      output.getDimSize(1) != 1 || conv.getInits().size() != 1 || !filter.hasStaticShape() ||
      filter.getNumElements() == 0 || !hasKnownWidth(input, spatial) || !hasKnownWidth(output, spatial) ||
      !isByte(conv.getInput()) || !isByte(conv.getFilter()) || !conv.accumulatorType().isInteger(32) ||
      llvm::any_of(conv.getDilations(), [](int64_t dilation) { return dilation != 1; }))
    return std::nullopt;
  DualShape s = dualShapeOf(conv);
  bool isOwn = s.groups == 1 || (s.groups == s.channels && s.groups == s.filters && s.kernelW == 3 && s.strideW <= 2);
  constexpr int64_t most = 32767;                  // channels are numbered in 16 bits
  constexpr int64_t withinReach = 4096 - 128 - 32; // of a load from the first pixel of a tile to the second
  if (!isOwn || s.pixelBytes >= withinReach || s.filters > most ||
      (s.isPointwise && llvm::any_of(conv.getPads(), [](int64_t pad) { return pad != 0; })))
    return std::nullopt;
  return s;
}

/// Weights less their zero point, where these are signed bytes.
std::optional<std::vector<int8_t>> dualWeightsOf(Value value, bool isUnsigned, int64_t zero, EvaluationCache &cache) {
  std::optional<HostTensor> data = evaluate(value, cache);
  if (!data)
    return std::nullopt;
  std::vector<int8_t> weights;
  for (int64_t i = 0; i < data->size(); ++i) {
    int64_t weight = (isUnsigned ? int64_t(data->at<uint8_t>(i)) : int64_t(data->at<int8_t>(i))) - zero;
    if (!llvm::isInt<8>(weight))
      return std::nullopt;
    weights.push_back(static_cast<int8_t>(weight));
  }
  return weights;
}

/// A constant operand as it came, and what it means.
struct SourceWeights {
  Value value;
  bool isUnsigned;
  int64_t zero;
};

template <class Contraction>
class DualPacker {
public:
  DualPacker(Contraction op, EvaluationCache &cache) : op(op), cache(cache) {}

  /// sums[f]: the sum of |w| of filter f; `largest`: of an input less its zero point; `correction`: what each sum
  /// starts with besides its bias.
  void describe(ArrayRef<int64_t> sums, int64_t largest, ArrayRef<int64_t> channelDims, ArrayRef<int64_t> correction) {
    auto count = static_cast<int64_t>(sums.size());
    SmallVector<Rescaling> rescalings;
    constexpr int64_t most = 1 << 23;
    std::optional<RoundedSum> rounded = roundedSum(*ElementBody::of(op), channelDims, count, cache);
    if (rounded)
      element = rounded->element;
    filters.areRescaled = rounded && findRescalings(rounded->functions, sums, largest, rescalings);
    for (int64_t f = 0; f < count; ++f) {
      DualFilter &filter = filters.each.emplace_back();
      filter.bias = correction[f];
      if (filters.areRescaled) {
        filter.bias += rescalings[f].bias;
        filter.factor = wordOf(rescalings[f]);
        filter.isProved = rescalings[f].fixed.has_value();
      }
      filter.mayBeSecond = sums[f] * largest + std::abs(filter.bias) + std::abs(correction[f]) < most;
    }
  }

  /// A parameter of the kernel.
  void set(StringRef param, Attribute value) { params.set(param, value); }

  /// Whether Winograd's sums, four times as large, and their biases are within 32 bits. Transformed filters and inputs
  /// are within 16 bits anyway.
  bool fitsWinograd(ArrayRef<int64_t> sums, int64_t largest) const {
    constexpr int64_t most = int64_t(1) << 29;
    return llvm::all_of(llvm::zip(filters.each, sums), [&](auto both) {
      auto [filter, sum] = both;
      return sum * largest + std::abs(filter.bias) < most;
    });
  }

  /// The op with its kernel. Its weights are an op that makes the words when weights are written,
  /// interpreter/kernels/`packing`.cpp: of `words` only their number is kept.
  void finish(StringRef kernel, const DualWords &words, StringRef packing, const SourceWeights &source) {
    OpBuilder b(op);
    set("proved", b.getI64IntegerAttr(words.proved));
    packingParams.set("zero", b.getI64IntegerAttr(source.zero));
    packingParams.set("rescaled", b.getBoolAttr(filters.areRescaled));
    setWeights(b, packedWeights(b, words, packing, source));
    if (filters.areRescaled)
      moveEpilogue(b);
    op.setKernelAttr(KernelAttr::get(op.getContext(), kernel, params.getDictionary(op.getContext())));
  }

  void finishPairs(StringRef kernel, const DualSteps &steps, int64_t pairs, ArrayRef<int8_t> weights,
                   const SourceWeights &source) {
    packingParams.set("steps", OpBuilder(op).getDenseI64ArrayAttr(
                                   {steps.kernelH, steps.kernelW, steps.channels, steps.lineChannels, steps.byFours}));
    setPacking("pairs", pairs);
    finish(kernel, packDualPairs(filters, steps, pairs, weights), "pack_dual_pairs", source);
  }

  /// A parameter of the packing.
  void setPacking(StringRef param, int64_t value) { packingParams.set(param, OpBuilder(op).getI64IntegerAttr(value)); }

  DualFilters filters;

private:
  /// As Rescale in templates/quantized/rescale.h reads it: the sign bit says that it is the definition's factor.
  static int32_t wordOf(const Rescaling &rescaling) {
    return rescaling.fixed ? *rescaling.fixed
                           : static_cast<int32_t>(llvm::bit_cast<uint32_t>(rescaling.factor) | 0x80000000u);
  }

  Value packedWeights(OpBuilder &b, const DualWords &words, StringRef packing, const SourceWeights &source) {
    Location loc = op.getLoc();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(source.value); // not in a row tile's loop
    SmallVector<int64_t> shape(isa<MatmulOp>(op) ? 3 : 2, 1);
    shape.front() = words.groups;
    shape.back() = words.perGroup();
    std::vector<int32_t> table = filters.table();
    auto tableType = RankedTensorType::get({static_cast<int64_t>(table.size()) / 4, 4}, b.getI32Type());
    Value filterTable =
        b.create<arith::ConstantOp>(loc, tableType, DenseIntElementsAttr::get(tableType, ArrayRef(table)));
    Value empty = b.create<tensor::EmptyOp>(loc, shape, b.getI32Type());
    return b
        .create<KernelOp>(loc, empty.getType(), packing, ValueRange{source.value, filterTable}, ValueRange(empty),
                          packingParams.getDictionary(b.getContext()), source.isUnsigned ? "uss" : "sss")
        .getResult(0);
  }

  bool findRescalings(const std::vector<StepFunction> &functions, ArrayRef<int64_t> sums, int64_t largest,
                      SmallVector<Rescaling> &rescalings) {
    zero = functions[0].zero;
    low = std::numeric_limits<int64_t>::max();
    high = std::numeric_limits<int64_t>::min();
    for (auto [function, sum] : llvm::zip(functions, sums)) {
      std::optional<int64_t> least = function.at(-sum * largest), most = function.at(sum * largest);
      if (!least || !most)
        return false;
      low = std::min(low, *least);
      high = std::max(high, *most);
    }
    if (high - low > 255 || low < -128 || high > 255 || (low < 0 && high > 127))
      return false;
    // Limits that no sum reaches may as well be those of the type, for which there is an instruction.
    bool isUnsigned = high > 127;
    auto relax = [&](int64_t &limit, int64_t typeLimit, int64_t sign) {
      for (auto [function, sum] : llvm::zip(functions, sums)) {
        constexpr int64_t far = 1 << 30;
        std::optional<int64_t> end = function.at(sign * far);
        if (end && end != typeLimit && function.at(sign * sum * largest) == end)
          return;
      }
      limit = typeLimit;
    };
    relax(low, isUnsigned ? 0 : -128, -1);
    relax(high, isUnsigned ? 255 : 127, 1);
    for (auto [function, sum] : llvm::zip(functions, sums)) {
      auto rescaling = rescalingOf(function, zero, low, high, std::max<int64_t>(1, sum * largest));
      if (!rescaling)
        return false;
      rescalings.push_back(*rescaling);
    }
    return true;
  }

  void setWeights(OpBuilder &, Value weights) {
    if constexpr (std::is_same_v<Contraction, ConvOp>)
      op.getFilterMutable().assign(weights);
    else
      op.getRhsMutable().assign(weights);
  }

  void moveEpilogue(OpBuilder &b) {
    set("rescale", b.getDenseI64ArrayAttr({zero, low, high}));
    Block &block = op.getEpilogue().front();
    OpBuilder inside(&block, block.begin());
    Value known = block.getArgument(0);
    if (!element.getType().isInteger(32))
      known = inside.create<arith::TruncIOp>(op.getLoc(), element.getType(), known);
    element.replaceAllUsesWith(known);
    ElementBody::of(op)->dropUnused();
  }

  Contraction op;
  EvaluationCache &cache;
  NamedAttrList params, packingParams;
  Value element; ///< what the epilogue rounds to
  int64_t zero = 0, low = 0, high = 0;
};

/// The largest distance of an input from its zero point.
int64_t largestInput(bool isUnsigned, int64_t zero) {
  return isUnsigned ? std::max(zero, 255 - zero) : std::max(zero + 128, 127 - zero);
}

SmallVector<int64_t> sumsOf(ArrayRef<int8_t> weights, int64_t filters) {
  SmallVector<int64_t> sums(filters, 0);
  int64_t depth = static_cast<int64_t>(weights.size()) / filters;
  for (auto [i, weight] : llvm::enumerate(weights))
    sums[static_cast<int64_t>(i) / depth] += std::abs(weight);
  return sums;
}

/// Of convolutions that Winograd could compute: whether it does.
using WinogradChoices = llvm::DenseMap<Operation *, WinogradChoice>;
WinogradChoices winogradChoices(ModuleOp module, ArrayRef<Operation *> contractions, const Target &target, Fit fit,
                                Threads threads) {
  SmallVector<DualConvolution> convolutions;
  for (Operation *op : contractions)
    if (auto conv = dyn_cast<ConvOp>(op))
      if (std::optional<DualShape> s = packableShapeOf(conv); s && isForWinograd(*s))
        convolutions.push_back({conv, *s});
  WinogradChoices choices;
  for (auto [convolution, choice] : llvm::zip(convolutions, chooseWinograd(module, convolutions, target, fit, threads)))
    choices[convolution.conv] = choice;
  return choices;
}

void packDualConvolution(ConvOp conv, WinogradChoice winograd, EvaluationCache &cache) {
  std::optional<DualShape> shape = packableShapeOf(conv);
  auto weights =
      shape ? dualWeightsOf(conv.getFilter(), conv.isFilterUnsigned(), conv.getFilterZero(), cache) : std::nullopt;
  if (!weights)
    return;
  const DualShape &s = *shape;
  DualPacker<ConvOp> packer(conv, cache);
  auto rank = cast<ShapedType>(conv.getInits()[0].getType()).getRank();
  SmallVector<int64_t> none(s.filters, 0), taps;
  SmallVector<int64_t> sums = sumsOf(*weights, s.filters);
  int64_t largest = largestInput(conv.isInputUnsigned(), conv.getInputZero());
  packer.describe(sums, largest, {1, rank - 1}, none);
  if (winograd.isTaken && !packer.fitsWinograd(sums, largest))
    winograd = {false, "no Winograd: four times a sum may not fit in 32 bits"};
  for (size_t d = 0; d < conv.getStrides().size(); ++d)
    taps.push_back(conv.taps(static_cast<int64_t>(d)));
  packer.set("taps", OpBuilder(conv).getDenseI64ArrayAttr(taps));
  SourceWeights source{conv.getFilter(), conv.isFilterUnsigned(), static_cast<int64_t>(conv.getFilterZero())};
  conv.setFilterZero(0);
  conv.setSigns(conv.isInputUnsigned() ? "us" : "ss");
  if (s.groups > 1) {
    packer.setPacking("rows", s.kernelH);
    packer.finish("dual_depthwise", packDualPlanes(packer.filters, s.kernelH, *weights), "pack_dual_planes", source);
    return;
  }
  if (!winograd.reason.empty())
    packer.set("choice", OpBuilder(conv).getStringAttr(winograd.reason));
  if (winograd.isTaken) {
    packer.setPacking("channels", s.channels);
    packer.finish("dual_winograd", packDualWinograd(packer.filters, s.channels, *weights), "pack_dual_winograd",
                  source);
    return;
  }
  packer.finishPairs("dual_conv", {s.kernelH, s.kernelW, s.channels, s.lineChannels, s.byFours}, 2, *weights, source);
}

void packDualMatmul(MatmulOp matmul, EvaluationCache &cache) {
  if (!isByteContraction(matmul) || matmul.getInits().size() != 1 || matmul.getLhs().getDefiningOp<PermuteOp>())
    return;
  auto weights = dualWeightsOf(matmul.getRhs(), matmul.isRhsUnsigned(), matmul.getRhsZero(), cache);
  bool isTransposed = matmul.getTransposeRhs();
  auto rhs = cast<ShapedType>(matmul.getRhs().getType());
  int64_t n = rhs.getDimSize(isTransposed ? 0 : 1), k = rhs.getDimSize(isTransposed ? 1 : 0);
  if (!weights || n > 32767)
    return;
  if (!isTransposed) { // filters first
    OpBuilder b(matmul);
    Tensor rhs = Tensors{b, matmul.getLoc()}.transpose({matmul.getRhs(), ElementType::Int8}, {1, 0});
    matmul.getRhsMutable().assign(rhs.value);
    std::vector<int8_t> columns(weights->size());
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < n; ++j)
        columns[j * k + p] = (*weights)[p * n + j];
    weights = std::move(columns);
  }
  auto at = [&](int64_t j, int64_t p) { return (*weights)[j * k + p]; };
  SmallVector<int64_t> sums(n, 0), correction(n, 0);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t p = 0; p < k; ++p) {
      sums[j] += std::abs(at(j, p));
      correction[j] -= matmul.getLhsZero() * at(j, p);
    }
  DualPacker<MatmulOp> packer(matmul, cache);
  int64_t rank = cast<ShapedType>(matmul.getInits()[0].getType()).getRank();
  packer.describe(sums, largestInput(matmul.isLhsUnsigned(), matmul.getLhsZero()), {rank - 1}, correction);
  SourceWeights source{matmul.getRhs(), matmul.isRhsUnsigned(), static_cast<int64_t>(matmul.getRhsZero())};
  matmul.setTransposeRhs(false);
  matmul.setLhsZero(0);
  matmul.setRhsZero(0);
  matmul.setSigns(matmul.isLhsUnsigned() ? "us" : "ss");
  constexpr bool byFours = true;
  packer.finishPairs("dual_matmul", {1, 1, k, static_cast<int64_t>(llvm::alignTo(k, 4)), byFours}, 4, *weights, source);
}

} // namespace

LogicalResult packDual(ModuleOp module, const Target &target, Fit fit, Threads threads) {
  if (target.byteKernels != ByteKernels::Dual)
    return success();
  module.walk([](linalg::GenericOp nest) { packSums(nest); });
  SmallVector<Operation *> contractions = contractionsOf(module);
  WinogradChoices winograd = winogradChoices(module, contractions, target, fit, threads);
  for (Operation *op : contractions) {
    EvaluationCache cache;
    if (auto matmul = dyn_cast<MatmulOp>(op))
      packDualMatmul(matmul, cache);
    else
      packDualConvolution(cast<ConvOp>(op), winograd.lookup(op), cache);
  }
  return success();
}

} // namespace sinter
