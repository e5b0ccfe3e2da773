// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that passes/packing/pack_weights.cpp put in their kernel's order, back in their definition's: so the oracle
// runs after every pass. Each order is a list of the packed dims in the order of the definition; what fills up the last
// panel is cut off.
#include "packed_operands.h"

using namespace mlir;
using namespace sinter;

bool sinter::isKnownOrder(ConvOp op) { return llvm::is_contained({"", "planes", "taps", "panels"}, op.getPacked()); }
bool sinter::isKnownOrder(MatmulOp op) { return llvm::is_contained({"", "panels"}, op.getPacked()); }

/// The tensor with its dims in the order `dims`.
static std::optional<HostTensor> permuted(Engine &engine, const HostTensor &tensor, ArrayRef<int64_t> dims) {
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
static std::optional<HostTensor> cut(Engine &engine, const HostTensor &tensor, int64_t outer, int64_t size,
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

std::optional<HostTensor> sinter::unpackedFilter(Engine &engine, ConvOp op, HostTensor packed, int64_t filters) {
  StringRef order = op.getPacked();
  auto spatial = static_cast<int64_t>(op.getStrides().size());
  if (order.empty())
    return packed;
  bool planes = order == "planes", taps = order == "taps";
  if (!isKnownOrder(op) || packed.rank() != spatial + (planes ? 4 : taps ? 1 : 3))
    return std::nullopt;
  // planes [g, P, c, taps..., NR], panels [P, taps..., c, NR], taps [taps..., k]
  int64_t last = packed.rank() - 1, firstTap = planes ? 3 : taps ? 0 : 1, group = planes ? packed.shape()[0] : 1;
  SmallVector<int64_t> dims;
  if (planes)
    dims = {0, 1, last, 2};
  else if (taps)
    dims = {last};
  else
    dims = {0, last, last - 1};
  SmallVector<int64_t> rest{taps ? 1 : packed.shape()[planes ? 2 : last - 1]};
  for (int64_t d = 0; d < spatial; ++d) {
    dims.push_back(firstTap + d);
    rest.push_back(packed.shape()[firstTap + d]);
  }
  int64_t rows = taps ? packed.shape()[last] : packed.shape()[planes ? 1 : 0] * packed.shape()[last];
  std::optional<HostTensor> filter = permuted(engine, packed, dims);
  return filter && filters % group == 0 ? cut(engine, *filter, group, rows, filters / group, rest) : std::nullopt;
}

std::optional<HostTensor> sinter::unpackedRhs(Engine &engine, MatmulOp op, HostTensor packed, int64_t n) {
  if (op.getPacked().empty())
    return packed;
  if (!isKnownOrder(op) || packed.rank() != 3)
    return std::nullopt;
  // [P, k, NR]
  int64_t k = packed.shape()[1];
  std::optional<HostTensor> rows = permuted(engine, packed, {1, 0, 2});
  std::optional<HostTensor> rhs =
      rows ? cut(engine, *rows, k, rows->size() / std::max<int64_t>(k, 1), n, {}) : std::nullopt;
  return rhs ? std::optional(rhs->reshaped({k, n})) : std::nullopt;
}
