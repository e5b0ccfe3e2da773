// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops are run row by row, loops op by op with their index arithmetic as numbers.
#include "check_order.h"

#include "ir/dialect.h"
#include "kernels/kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <map>

using namespace mlir;

namespace sinter {
namespace {

/// What is run at most, to bound the time: rows of an op, and ops of all iterations of a loop together. A plan that
/// counts on more is refused.
constexpr int64_t mostRowsRun = int64_t(1) << 22, mostOpsRun = int64_t(1) << 22;

/// What a kernel that promises an order (kernels/kernel_order.h) does, or a loop nest: row after row, or pixel or
/// element.
struct LoopSteps {
  Order order = Order::Held;
  int64_t together = 1;   ///< rows that are read again while they are written
  int64_t pixelBytes = 1; ///< of kernels that keep channels apart
  int64_t rows, rowBytes, inRows, inRowBytes, stride = 1, extent = 1, pad = 0;
  int64_t planes = 1; ///< of the input, which have a part of each row
};

/// The operand is the buffer from its first byte on, without gaps.
bool isAllOf(OpOperand &operand, const Place &place) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  Value buffer = operand.get();
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return type && type.hasStaticShape() && type.getLayout().isIdentity() && buffer == place.buffer &&
         type.getNumElements() * static_cast<int64_t>(elementWidth(operand.get())) == place.end - place.begin;
}

std::optional<LoopSteps> loopStepsOf(Operation *op, OpOperand &source, OpOperand &target) {
  auto shapeOf = [](OpOperand &operand) { return cast<MemRefType>(operand.get().getType()).getShape(); };
  ArrayRef<int64_t> in = shapeOf(source), out = shapeOf(target);
  int64_t inWidth = elementWidth(source.get()), outWidth = elementWidth(target.get());
  LoopSteps steps;
  if (auto loops = dyn_cast<linalg::LinalgOp>(op)) {
    if (loops.getNumParallelLoops() != loops.getNumLoops() || (inWidth != 1 && outWidth != 1) ||
        !loops.getMatchingIndexingMap(&source).isIdentity() || !loops.getMatchingIndexingMap(&target).isIdentity())
      return std::nullopt;
    steps.rows = steps.inRows = ShapedType::getNumElements(in);
    steps.inRowBytes = inWidth;
    steps.rowBytes = outWidth;
    return steps;
  }
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv || source.getOperandNumber() != 0 || conv.getRowPad() || conv.getStrides().size() != 2)
    return std::nullopt;
  std::optional<KernelOrder> order = orderOf(conv.getKernelAttr());
  int64_t inDim = conv.firstSpatialIn(), outDim = conv.firstSpatialOut();
  auto isOne = [](int64_t size) { return size == 1; };
  bool isPlanar = conv.inputLayout() == "nchw" && order && order->order == Order::Held;
  if (isPlanar)
    steps.planes = in[1];
  if (!order || !llvm::all_of(in.take_front(isPlanar ? 1 : inDim), isOne) ||
      !llvm::all_of(out.take_front(outDim), isOne))
    return std::nullopt;
  steps.order = order->order;
  steps.together = order->rows;
  if (steps.order == Order::Planes) {
    steps.pixelBytes = in.back() * inWidth;
    if (out.back() * outWidth != steps.pixelBytes)
      return std::nullopt;
  }
  steps.rows = out[outDim];
  steps.inRows = in[inDim];
  steps.rowBytes = ShapedType::getNumElements(out.drop_front(outDim + 1)) * outWidth;
  steps.inRowBytes = ShapedType::getNumElements(in.drop_front(inDim + 1)) * inWidth;
  steps.stride = conv.getStrides()[0];
  steps.extent = (conv.taps(0) - 1) * conv.getDilations()[0] + 1;
  steps.pad = conv.getPads()[0];
  bool isByPixels = !isPlanar && steps.order != Order::Planes && conv.taps(0) * conv.taps(1) == 1 &&
                    conv.getStrides()[0] == 1 && conv.getStrides()[1] == 1 && in[inDim + 1] == out[outDim + 1];
  if (isByPixels) {
    steps.together = order->pixels;
    if (order->holdsPixels && steps.order == Order::Windows)
      steps.order = Order::Held;
    steps.rows *= in[inDim + 1], steps.inRows *= in[inDim + 1];
    steps.rowBytes /= in[inDim + 1], steps.inRowBytes /= in[inDim + 1];
  }
  return steps;
}

/// Ranges of bytes, as few as say the same.
class ByteRanges {
public:
  void add(int64_t begin, int64_t end) {
    if (begin >= end)
      return;
    auto next = endOf.upper_bound(begin);
    if (next != endOf.begin() && std::prev(next)->second >= begin)
      --next;
    while (next != endOf.end() && next->first <= end) {
      begin = std::min(begin, next->first);
      end = std::max(end, next->second);
      next = endOf.erase(next);
    }
    endOf[begin] = end;
  }

  bool meets(int64_t begin, int64_t end) const {
    auto next = endOf.lower_bound(end);
    return begin < end && next != endOf.begin() && std::prev(next)->second > begin;
  }

private:
  std::map<int64_t, int64_t> endOf; ///< by begin
};

/// A loop on the bytes of one place that it reads and one that it writes.
class LoopRun {
public:
  LoopRun(scf::ForOp loop, ArenaPlaces &places, unsigned input, unsigned output)
      : loop(loop), places(places), input(input), output(output) {}

  bool isBehindReads() {
    std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound()),
                           to = getConstantIntValue(loop.getUpperBound()), by = getConstantIntValue(loop.getStep());
    if (!from || !to || !by || *by <= 0)
      return false;
    SmallVector<Operation *> ops;
    for (Operation &op : *loop.getBody())
      if (!isa<ViewLikeOpInterface, memref::DimOp>(op) && !op.hasTrait<OpTrait::IsTerminator>() &&
          !isMemoryEffectFree(&op))
        ops.push_back(&op);
    if (*from < *to && (*to - *from) / *by > mostOpsRun / static_cast<int64_t>(ops.size() + 1))
      return false;
    for (int64_t at = *from; at < *to; at += *by) {
      numbers.clear();
      numbers[loop.getInductionVar()] = at;
      if (!llvm::all_of(ops, [&](Operation *op) { return execute(op); }))
        return false;
    }
    return true;
  }

private:
  /// False where the op reads what is lost. Of what it writes it may have read nothing before.
  bool execute(Operation *op) {
    SmallVector<Value> reads, writes;
    op->walk([&](Operation *inner) { collectAccesses(inner, reads, writes); });
    for (Value write : writes) {
      if (places.of(write).contains(input))
        return false;
      if (places.of(write).contains(output))
        forEachRun(write, output, [&](int64_t begin, int64_t end) { lost.add(begin, end); });
    }
    bool isWhole = true;
    for (Value read : reads)
      if (places.of(read).contains(input))
        forEachRun(read, input, [&](int64_t begin, int64_t end) { isWhole &= !lost.meets(begin, end); });
    return isWhole;
  }

  /// The bytes of the input's place that a view of `place` has, in gapless runs.
  template <class Visit>
  void forEachRun(Value view, unsigned place, Visit visit) {
    const Place &in = places.all[input], &at = places.all[place];
    auto visitBytes = [&](int64_t begin, int64_t end) {
      begin = std::clamp(begin, in.begin, in.end);
      visit(begin, std::clamp(end, begin, in.end));
    };
    SmallVector<int64_t> sizes, strides;
    std::optional<int64_t> offset = places.of(view).size() == 1 ? layoutOf(view, sizes, strides) : std::nullopt;
    if (!offset)
      return visitBytes(at.begin, at.end);
    int64_t width = elementWidth(view), run = width;
    while (!sizes.empty() && strides.back() * width == run) { // dense from here on
      run *= sizes.pop_back_val();
      strides.pop_back();
    }
    int64_t runs = run > 0 ? ShapedType::getNumElements(sizes) : 0, begin = at.begin + *offset * width;
    constexpr int64_t mostRuns = 4096; // of more, what lies between them counts too, as the planner has it of all
    if (runs > mostRuns) {
      for (auto [size, stride] : llvm::zip(sizes, strides))
        run += (size - 1) * stride * width;
      return visitBytes(begin, begin + run);
    }
    for (int64_t i = 0; i < runs; ++i) {
      int64_t first = begin, rest = i;
      for (size_t dim = sizes.size(); dim-- > 0; rest /= sizes[dim])
        first += rest % sizes[dim] * strides[dim] * width;
      visitBytes(first, first + run);
    }
  }

  /// Elements from the place's begin, and the view's sizes and strides; nullopt where they are not known. No rows at
  /// all: a size of 0.
  std::optional<int64_t> layoutOf(Value view, SmallVectorImpl<int64_t> &sizes, SmallVectorImpl<int64_t> &strides) {
    auto type = cast<MemRefType>(view.getType());
    sizes.assign(type.getShape().begin(), type.getShape().end());
    int64_t offset;
    if (elementWidth(view) == 0 || failed(getStridesAndOffset(type, strides, offset)) ||
        llvm::any_of(strides, ShapedType::isDynamic))
      return std::nullopt;
    auto made = view.getDefiningOp<ViewLikeOpInterface>();
    if (auto cut = view.getDefiningOp<memref::SubViewOp>()) {
      SmallVector<int64_t> sourceSizes, sourceStrides;
      std::optional<int64_t> source = layoutOf(cut.getSource(), sourceSizes, sourceStrides);
      if (!source || cut.getType().getRank() != cut.getSourceType().getRank())
        return std::nullopt;
      offset = *source;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        std::optional<int64_t> from = numberOf(cut.getMixedOffsets()[dim]), count = numberOf(cut.getMixedSizes()[dim]);
        if (!from || !count)
          return std::nullopt;
        offset += *from * sourceStrides[dim];
        sizes[dim] = std::max<int64_t>(*count, 0);
      }
    } else if (made && isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(made)) {
      SmallVector<int64_t> sourceSizes, sourceStrides;
      std::optional<int64_t> source = layoutOf(made.getViewSource(), sourceSizes, sourceStrides);
      if (!source)
        return std::nullopt;
      offset = *source;
    } else if (!places.isPlace(view)) {
      return std::nullopt;
    }
    return type.hasStaticShape() || view.getDefiningOp<memref::SubViewOp>() ? std::optional(offset) : std::nullopt;
  }

  std::optional<int64_t> numberOf(OpFoldResult value) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return constant;
    auto index = cast<Value>(value);
    if (auto known = numbers.find(index); known != numbers.end())
      return known->second;
    Operation *op = index.getDefiningOp();
    AffineMap map;
    if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op))
      map = apply.getAffineMap();
    else if (auto min = dyn_cast_or_null<affine::AffineMinOp>(op))
      map = min.getAffineMap();
    else if (auto max = dyn_cast_or_null<affine::AffineMaxOp>(op))
      map = max.getAffineMap();
    else
      return std::nullopt;
    SmallVector<AffineExpr> operands;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> number = numberOf(operand);
      if (!number)
        return std::nullopt;
      operands.push_back(getAffineConstantExpr(*number, op->getContext()));
    }
    SmallVector<int64_t> results;
    for (AffineExpr expr : map.getResults()) {
      ArrayRef<AffineExpr> values = operands;
      auto result = dyn_cast<AffineConstantExpr>(
          expr.replaceDimsAndSymbols(values.take_front(map.getNumDims()), values.drop_front(map.getNumDims())));
      if (!result)
        return std::nullopt;
      results.push_back(result.getValue());
    }
    return numbers[index] = isa<affine::AffineMaxOp>(op) ? *llvm::max_element(results) : *llvm::min_element(results);
  }

  scf::ForOp loop;
  ArenaPlaces &places;
  unsigned input, output;
  ByteRanges lost; ///< of the input, which are the output's by now
  DenseMap<Value, int64_t> numbers;
};

} // namespace

bool isBehindReads(Operation *op, ArenaPlaces &places, unsigned input, unsigned output) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps)
    return false;
  OpOperand *source = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isMemory = isa<BaseMemRefType>(operand.get().getType());
    if (isMemory && places.of(operand.get()).contains(input) && std::exchange(source, &operand))
      return false; // read in two ways
  }
  OpOperand &target = *dps.getDpsInitOperand(0);
  if (!source || !isAllOf(*source, places.all[input]) || !isAllOf(target, places.all[output]))
    return false;
  std::optional<LoopSteps> steps = loopStepsOf(op, *source, target);
  if (!steps)
    return false;
  int64_t in = places.all[input].begin, out = places.all[output].begin;
  if ((in - out) % steps->pixelBytes != 0 || steps->rows > mostRowsRun)
    return false;
  for (int64_t row = 0; row < steps->rows; ++row) {
    int64_t written = out + (row + 1) * steps->rowBytes, first = row + 1; // of the rows whose windows are still read
    if (steps->order == Order::Windows)
      first = row - row % steps->together;
    if (first == steps->rows)
      break;
    int64_t later = first * steps->stride - steps->pad;
    if (steps->order == Order::Held)
      later += steps->extent - steps->stride;
    for (int64_t plane = 0; plane < steps->planes; ++plane) {
      int64_t begin = in + plane * steps->inRows * steps->inRowBytes;
      // The first row still to be read that ends behind the output's begin; later ones begin later.
      int64_t read = std::max<int64_t>({later, 0, (out - begin) / steps->inRowBytes});
      if (read < steps->inRows && begin + read * steps->inRowBytes < written)
        return false;
    }
  }
  return true;
}

bool isBehindReads(scf::ForOp loop, ArenaPlaces &places, unsigned input, unsigned output) {
  return LoopRun(loop, places, input, output).isBehindReads();
}

} // namespace sinter
