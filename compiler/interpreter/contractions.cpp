// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.conv and sinter.matmul by their definition: operands in the accumulator's type, sums in a tensor, then the
// epilogue as a loop nest over it.
#include "engine.h"
#include "loop_nest.h"
#include "packed_operands.h"

#include "ir/dialect.h"
#include "ir/spreads.h"

using namespace mlir;
using namespace sinter;

namespace {

/// An operand of a product in the accumulator's kind, less its zero point.
std::optional<HostTensor> convertedTo(Engine &engine, Value value, Type elementType, bool isUnsigned, int64_t zero) {
  std::optional<HostTensor> tensor = engine.get(value);
  if (!tensor || (tensor->getElementType() == elementType && zero == 0))
    return tensor;
  std::optional<ElementKind> kind = elementKind(elementType);
  ConvertFn convert = kind ? findConversion(tensor->kind(), *kind, !isUnsigned) : nullptr;
  std::optional<HostTensor> result = convert ? engine.allocate(elementType, tensor->shape()) : std::nullopt;
  if (!result)
    return std::nullopt;
  convert(tensor->bytes(), result->mutableBytes(), static_cast<size_t>(tensor->size()));
  auto shift = [&](auto typed) {
    auto *data = reinterpret_cast<decltype(typed) *>(result->mutableBytes());
    for (int64_t i = 0; i < result->size(); ++i)
      data[i] -= static_cast<decltype(typed)>(zero);
  };
  if (zero != 0 && *kind == ElementKind::I32)
    shift(uint32_t());
  else if (zero != 0 && *kind == ElementKind::I64)
    shift(uint64_t());
  else if (zero != 0)
    return std::nullopt;
  return result;
}

/// Calls visit with a value of the accumulator's C++ type.
template <class Visit>
bool withAccumulator(ElementKind kind, Visit visit) {
  switch (kind) {
  case ElementKind::F32:
    visit(float());
    return true;
  case ElementKind::F64:
    visit(double());
    return true;
  case ElementKind::I32:
    visit(uint32_t()); // wraps
    return true;
  case ElementKind::I64:
    visit(uint64_t());
    return true;
  default:
    return false;
  }
}

/// What sums are carried in: double for float, whose sums one after the other lose a bit for each doubling of their
/// number.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, float>, double, T>;

/// One output element per sum, through the op's epilogue.
template <class OpTy>
bool runEpilogue(Engine &engine, OpTy op, const HostTensor &sums) {
  LoopNest nest;
  MLIRContext *context = op.getContext();
  auto rank = static_cast<unsigned>(sums.rank());
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, context);
  nest.extents.assign(sums.shape().begin(), sums.shape().end());
  nest.parallel.assign(rank, true);
  auto add = [&](HostTensor tensor, AffineMap map) {
    Access access;
    access.tensor = std::move(tensor);
    access.map = map;
    nest.accesses.push_back(std::move(access));
    return nest.resolve(nest.accesses.back());
  };
  if (!add(sums, identity))
    return false;
  for (auto [value, map] :
       llvm::zip_equal(op.getEpilogueInputs(), op.getEpilogueMaps().template getAsValueRange<AffineMapAttr>())) {
    std::optional<HostTensor> tensor = engine.get(value);
    if (!tensor || !add(std::move(*tensor), map))
      return false;
  }
  for (Value init : op.getInits()) {
    std::optional<HostTensor> memory = engine.allocate(getElementTypeOrSelf(init.getType()), sums.shape());
    if (!memory || !add(std::move(*memory), identity))
      return false;
  }
  nest.outputCount = op.getInits().size();
  for (Access &output : nest.outputs())
    output.used = false;
  if (!runNest(engine, nest, op.getEpilogue().front()))
    return false;
  for (auto [result, output] : llvm::zip_equal(op.getResults(), nest.outputs()))
    engine.set(result, std::move(output.tensor));
  return true;
}

/// Positions of a convolution's dims in a tensor: "nchw", "nhwc", or "nchwc" with the channel block at the end.
struct ActivationLayout {
  int64_t channelDim = 1, firstSpatial = 2, block = 1;
  bool blocked = false;
  SmallVector<int64_t, 6> strides;

  ActivationLayout(StringRef layout, ArrayRef<int64_t> shape)
      : blocked(layout == "nchwc"), strides(rowMajorStrides(shape)) {
    if (layout == "nhwc") {
      channelDim = static_cast<int64_t>(shape.size()) - 1;
      firstSpatial = 1;
    }
    if (blocked)
      block = shape.back();
  }
  int64_t offset(int64_t n, int64_t channel) const {
    int64_t base = n * strides[0] + channel / block * strides[channelDim];
    return blocked ? base + channel % block : base;
  }
};

/// Advances a position within extents; false after the last.
bool next(MutableArrayRef<int64_t> position, ArrayRef<int64_t> extents) {
  for (size_t dim = position.size(); dim-- > 0; position[dim] = 0)
    if (++position[dim] < extents[dim])
      return true;
  return false;
}

bool runConv(Engine &engine, ConvOp op) {
  Type accumulatorType = op.accumulatorType();
  std::optional<HostTensor> input = convertedTo(engine, op.getInput(), accumulatorType, op.isInputUnsigned(),
                                                op.getInputZero()),
                            filter = convertedTo(engine, op.getFilter(), accumulatorType, op.isFilterUnsigned(),
                                                 op.getFilterZero()),
                            init = engine.get(op.getInits().front());
  auto known = [](StringRef layout) { return layout == "nchw" || layout == "nhwc" || layout == "nchwc"; };
  StringRef inLayout = op.inputLayout(), outLayout = op.outputLayout();
  SmallVector<int64_t> pads(op.getPads());
  if (op.getRowPad()) {
    std::optional<int64_t> rowPad = engine.index(op.getRowPad());
    if (!rowPad)
      return false;
    pads[0] = *rowPad;
  }
  if (!input || !filter || !init || !known(inLayout) || !known(outLayout))
    return false;
  size_t spatial = op.getStrides().size();
  ActivationLayout in(inLayout, input->shape()), out(outLayout, init->shape());
  filter = unpackedFilter(engine, op, std::move(*filter), init->shape()[out.channelDim] * out.block);
  if (!filter)
    return false;
  if (static_cast<size_t>(filter->rank()) != spatial + 2 ||
      static_cast<size_t>(init->rank()) != spatial + 2 + out.blocked ||
      static_cast<size_t>(input->rank()) != spatial + 2 + in.blocked)
    return false;
  ArrayRef<int64_t> window = filter->shape().drop_front(2), inSizes = input->shape().slice(in.firstSpatial, spatial),
                    outSizes = init->shape().slice(out.firstSpatial, spatial);
  int64_t group = op.getGroup(), filters = filter->shape()[0], perGroup = filter->shape()[1];
  int64_t channels = input->shape()[in.channelDim] * in.block;
  std::optional<HostTensor> sums = engine.allocate(accumulatorType, init->shape());
  int64_t windowSize = countElements(window);
  if (!sums || group <= 0 || filters % group || perGroup * group > channels ||
      filters > init->shape()[out.channelDim] * out.block || !engine.spend(sums->size() * perGroup) ||
      !engine.spend(sums->size() * windowSize))
    return false;
  int64_t outside = op.getKernelAttr() ? op.getKernelAttr().number("outside") : 0;
  bool empty = llvm::is_contained(outSizes, 0) || windowSize == 0 || init->shape()[0] == 0;
  bool computed = withAccumulator(sums->kind(), [&](auto zero) {
    using T = decltype(zero);
    auto *x = reinterpret_cast<const T *>(input->bytes());
    auto *w = reinterpret_cast<const T *>(filter->bytes());
    auto *y = reinterpret_cast<T *>(sums->mutableBytes());
    for (int64_t n = 0; n < (empty ? 0 : init->shape()[0]); ++n)
      for (int64_t k = 0; k < filters; ++k) {
        int64_t firstChannel = k / (filters / group) * perGroup;
        SmallVector<int64_t> at(spatial, 0);
        do {
          Sum<T> sum = zero;
          SmallVector<int64_t> tap(spatial, 0);
          int64_t tapIndex = 0;
          do {
            int64_t offset = 0;
            bool inside = true;
            for (size_t d = 0; d < spatial; ++d) {
              int64_t position = at[d] * op.getStrides()[d] + tap[d] * op.getDilations()[d] - pads[d],
                      spread = spreadOf(op, d);
              inside &= position >= 0 && position % spread == 0 && position / spread < inSizes[d];
              position /= spread;
              offset += position * in.strides[in.firstSpatial + d];
            }
            for (int64_t c = 0; (inside || outside != 0) && c < perGroup; ++c)
              sum +=
                  static_cast<Sum<T>>(inside ? x[in.offset(n, firstChannel + c) + offset] : static_cast<T>(outside)) *
                  w[(k * perGroup + c) * windowSize + tapIndex];
            ++tapIndex;
          } while (next(tap, window));
          int64_t offset = out.offset(n, k);
          for (size_t d = 0; d < spatial; ++d)
            offset += at[d] * out.strides[out.firstSpatial + d];
          y[offset] = static_cast<T>(sum);
        } while (next(at, outSizes));
      }
  });
  return computed && runEpilogue(engine, op, *sums);
}

bool runMatmul(Engine &engine, MatmulOp op) {
  Type accumulatorType = op.accumulatorType();
  std::optional<HostTensor> lhs =
                                convertedTo(engine, op.getLhs(), accumulatorType, op.isLhsUnsigned(), op.getLhsZero()),
                            rhs =
                                convertedTo(engine, op.getRhs(), accumulatorType, op.isRhsUnsigned(), op.getRhsZero()),
                            init = engine.get(op.getInits().front());
  if (!lhs || !rhs || !init || lhs->rank() < 2 || rhs->rank() < 2 || init->rank() < 2)
    return false;
  bool lhsT = op.getTransposeLhs(), rhsT = op.getTransposeRhs();
  rhs = unpackedRhs(engine, op, std::move(*rhs), lhs->shape().take_back(2)[!lhsT], init->shape().back());
  if (!rhs)
    return false;
  ArrayRef<int64_t> batch = init->shape().drop_back(2), lhsMatrix = lhs->shape().take_back(2),
                    rhsMatrix = rhs->shape().take_back(2);
  int64_t m = lhsMatrix[lhsT], k = lhsMatrix[!lhsT], n = rhsMatrix[!rhsT];
  if (rhsMatrix[rhsT] != k || init->shape().take_back(2) != ArrayRef<int64_t>{m, n})
    return false;
  // batch dims broadcast: a size of 1, or none, stands still
  auto batchOffset = [&](const HostTensor &tensor, ArrayRef<int64_t> position) {
    ArrayRef<int64_t> own = tensor.shape().drop_back(2);
    int64_t offset = 0;
    for (size_t d = 0; d < own.size(); ++d)
      offset = offset * own[d] + (own[d] == 1 ? 0 : position[position.size() - own.size() + d]);
    return offset * countElements(tensor.shape().take_back(2));
  };
  for (const HostTensor *tensor : {&*lhs, &*rhs}) {
    ArrayRef<int64_t> own = tensor->shape().drop_back(2);
    if (own.size() > batch.size())
      return false;
    for (auto [size, full] : llvm::zip_equal(own, batch.take_back(own.size())))
      if (size != 1 && size != full)
        return false;
  }
  std::optional<HostTensor> sums = engine.allocate(accumulatorType, init->shape());
  if (!sums || (k > 0 && sums->size() > std::numeric_limits<int64_t>::max() / k) || !engine.spend(sums->size() * k))
    return false;
  int64_t lhsRow = lhsT ? 1 : k, lhsColumn = lhsT ? m : 1, rhsRow = rhsT ? 1 : n, rhsColumn = rhsT ? k : 1;
  bool computed = withAccumulator(sums->kind(), [&](auto zero) {
    using T = decltype(zero);
    auto *y = reinterpret_cast<T *>(sums->mutableBytes());
    SmallVector<int64_t> position(batch.size(), 0);
    if (sums->size() == 0)
      return;
    std::vector<Sum<T>> row(static_cast<size_t>(n));
    do {
      auto *a = reinterpret_cast<const T *>(lhs->bytes()) + batchOffset(*lhs, position);
      auto *b = reinterpret_cast<const T *>(rhs->bytes()) + batchOffset(*rhs, position);
      for (int64_t i = 0; i < m; ++i) {
        row.assign(row.size(), zero);
        for (int64_t p = 0; p < k; ++p) {
          Sum<T> left = a[i * lhsRow + p * lhsColumn];
          for (int64_t j = 0; j < n; ++j)
            row[static_cast<size_t>(j)] += left * b[p * rhsRow + j * rhsColumn];
        }
        y = llvm::transform(row, y, [](Sum<T> sum) { return static_cast<T>(sum); });
      }
    } while (next(position, batch));
  });
  return computed && runEpilogue(engine, op, *sums);
}

} // namespace

void sinter::addContractionHandlers(HandlerTable &table) {
  addHandler<ConvOp, runConv>(table);
  addHandler<MatmulOp, runMatmul>(table);
}
