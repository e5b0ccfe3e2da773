// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands in their kernel's order, back in their definition's, where the kernel says which packed dims make which dim
// of the operand (`dims` of #sinter.kernel): so the oracle runs after every pass. What fills up the last panel is cut
// off.
#include "packed_operands.h"

#include "interpreter/winograd_filters.h"

using namespace mlir;
using namespace sinter;

bool sinter::isKnownOrder(KernelAttr kernel) { return !kernel || kernel.has("dims"); }

/// The packed dims of an operand of `rank` dims as it is defined; nothing for an order that is not known or no such
/// operand's.
static std::optional<SmallVector<SmallVector<int64_t>>> dimsOf(KernelAttr kernel, int64_t rank,
                                                               const HostTensor &packed) {
  auto each = kernel.getParams().getAs<ArrayAttr>("dims");
  if (!each || static_cast<int64_t>(each.size()) != rank)
    return std::nullopt;
  SmallVector<SmallVector<int64_t>> dims;
  SmallVector<bool> isSeen(packed.rank(), false);
  for (int64_t d = 0; d < rank; ++d)
    for (int64_t dim : dims.emplace_back(*kernel.dimsOf(d))) {
      if (dim < 0 || dim >= packed.rank() || isSeen[dim])
        return std::nullopt;
      isSeen[dim] = true;
    }
  return llvm::is_contained(isSeen, false) ? std::nullopt : std::optional(dims);
}

/// The tensor with its dims in the order `dims`.
static std::optional<HostTensor> permutedOperand(Engine &engine, const HostTensor &tensor, ArrayRef<int64_t> dims) {
  SmallVector<int64_t, 6> from = rowMajorStrides(tensor.shape()), strides;
  SmallVector<int64_t> shape;
  for (int64_t dim : dims) {
    shape.push_back(tensor.shape()[dim]);
    strides.push_back(from[dim]);
  }
  std::optional<HostTensor> result = engine.allocate(tensor.getElementType(), shape);
  if (result && engine.spend(result->size()))
    copyStrided(tensor.kind(), shape, result->mutableBytes(), rowMajorStrides(shape), tensor.bytes(), strides);
  return result;
}

/// The first `count` elements of dim 1 of a tensor seen as [outer, size, rest]; as [outer * count, rest...].
static std::optional<HostTensor> cutOperand(Engine &engine, const HostTensor &tensor, int64_t outer, int64_t size,
                                            int64_t count, ArrayRef<int64_t> rest) {
  int64_t inner = countElements(rest);
  if (count > size || outer * size * inner != tensor.size())
    return std::nullopt;
  SmallVector<int64_t> shape{outer * count};
  shape.append(rest.begin(), rest.end());
  if (count == size)
    return tensor.reshaped(shape);
  std::optional<HostTensor> result = engine.allocate(tensor.getElementType(), shape);
  if (result)
    copyStrided(tensor.kind(), {outer, count, inner}, result->mutableBytes(), {count * inner, inner, 1}, tensor.bytes(),
                {size * inner, inner, 1});
  return result;
}

/// From G g G' of each filter and channel, [filters, channels, products...], back to g
/// (templates/panels/conv_winograd.h).
static std::optional<HostTensor> untransformed(Engine &engine, const HostTensor &products, ArrayRef<int64_t> taps) {
  if (products.kind() != ElementKind::F32 || products.shape().size() != taps.size() + 2)
    return std::nullopt;
  SmallVector<int64_t> shape(products.shape().take_front(2));
  for (auto [count, size] : llvm::zip(taps, products.shape().drop_front(2))) {
    if (count < 1 || winogradOf(count, size).products() != size)
      return std::nullopt;
    shape.push_back(count);
  }
  std::optional<HostTensor> filter = engine.allocate(products.getElementType(), shape);
  if (!filter || !engine.spend(products.size()))
    return std::nullopt;
  WinogradTaps y{1}, x = winogradOf(taps.back(), products.shape().back());
  if (taps.size() > 1)
    y = winogradOf(taps.front(), products.shape()[2]);
  const auto *u = reinterpret_cast<const float *>(products.bytes());
  auto *g = reinterpret_cast<float *>(filter->mutableBytes());
  SmallVector<float> rows(static_cast<size_t>(y.products()) * x.taps);
  for (const float *end = u + products.size(); u != end; u += static_cast<int64_t>(y.products()) * x.products()) {
    for (int i = 0; i < y.products(); ++i)
      for (int tap = 0; tap < x.taps; ++tap)
        rows[i * x.taps + tap] = winogradTap(x, tap, [&](int product) { return u[i * x.products() + product]; });
    for (int row = 0; row < y.taps; ++row)
      for (int tap = 0; tap < x.taps; ++tap)
        *g++ = winogradTap(y, row, [&](int product) { return rows[product * x.taps + tap]; });
  }
  return filter;
}

std::optional<HostTensor> sinter::unpackedFilter(Engine &engine, ConvOp op, HostTensor packed, int64_t filters) {
  if (!op.getKernelAttr())
    return packed;
  auto dims = dimsOf(op.getKernelAttr(), static_cast<int64_t>(op.getStrides().size()) + 2, packed);
  if (!dims || dims->front().empty())
    return std::nullopt;
  auto sizeOf = [&](ArrayRef<int64_t> some) {
    int64_t size = 1;
    for (int64_t dim : some)
      size *= packed.shape()[dim];
    return size;
  };
  bool hasGroups = dims->front().size() == 3;
  int64_t groups = hasGroups ? packed.shape()[dims->front()[0]] : 1;
  SmallVector<int64_t> order, rest;
  for (ArrayRef<int64_t> some : *dims)
    order.append(some.begin(), some.end());
  for (ArrayRef<int64_t> some : ArrayRef(*dims).drop_front())
    rest.push_back(sizeOf(some));
  std::optional<HostTensor> filter = permutedOperand(engine, packed, order);
  if (!filter || groups == 0 || filters % groups != 0)
    return std::nullopt;
  filter = cutOperand(engine, *filter, groups, sizeOf(ArrayRef(dims->front()).drop_front(hasGroups)), filters / groups,
                      rest);
  return filter && op.getKernelAttr().has("transform")
             ? untransformed(engine, *filter, op.getKernelAttr().numbers("taps"))
             : filter;
}

std::optional<HostTensor> sinter::unpackedRhs(Engine &engine, MatmulOp op, HostTensor packed, int64_t k, int64_t n) {
  if (!op.getKernelAttr())
    return packed;
  auto dims = dimsOf(op.getKernelAttr(), 2, packed);
  if (!dims || k == 0)
    return std::nullopt;
  int64_t rows = 1;
  for (int64_t dim : dims->front())
    rows *= packed.shape()[dim];
  if (rows == 0)
    return std::nullopt;
  SmallVector<int64_t> order(dims->front());
  order.append(dims->back());
  std::optional<HostTensor> rhs = permutedOperand(engine, packed, order);
  int64_t columns = packed.size() / rows;
  rhs = rhs ? cutOperand(engine, *rhs, 1, rows, k, {columns}) : std::nullopt;
  rhs = rhs ? cutOperand(engine, *rhs, k, columns, n, {}) : std::nullopt;
  return rhs ? std::optional(rhs->reshaped({k, n})) : std::nullopt;
}
