// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile: x repeated along each dim: a broadcast of x with a dim of size 1 before each repeated one. Version 1 repeats
// one dim.
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

FailureOr<Sizes> repeatsOf(Op &op, int64_t rank) {
  FailureOr<Sizes> given = op.elements(1, op.since == 1 ? "tiles" : "repeats");
  if (failed(given) || op.since > 1)
    return given;
  std::optional<SmallVector<int64_t>> axis = op.constantIntegers(2);
  if (!axis || axis->empty())
    return op.fail(Code::ShapeNotConstant, "'axis' is not constant");
  FailureOr<int64_t> dim = op.axis(axis->front(), rank);
  if (failed(dim))
    return failure();
  Sizes repeats(rank, sizeOf(op.b, 1));
  repeats[*dim] = given->front();
  return repeats;
}

LogicalResult lowerTile(Op &op) {
  Tensor x = op.input(0);
  FailureOr<Sizes> repeats = repeatsOf(op, x.rank());
  if (failed(repeats))
    return failure();
  if (static_cast<int64_t>(repeats->size()) != x.rank())
    return op.fail(Code::ShapeMismatch,
                   "'repeats' has " + Twine(repeats->size()) + " values for a tensor of rank " + Twine(x.rank()));
  repeats = boundedSizes(op, *repeats);
  if (failed(repeats))
    return failure();
  Sizes own = op.sizes(x), spread, wide, flat;
  for (int64_t i = 0; i < x.rank(); ++i) {
    flat.push_back(mul(op.b, op.loc, (*repeats)[i], own[i]));
    if (constantOf((*repeats)[i]) != 1) {
      spread.push_back(sizeOf(op.b, 1));
      wide.push_back((*repeats)[i]);
    }
    spread.push_back(own[i]);
    wide.push_back(own[i]);
  }
  return op.result(op.reshape(op.broadcastTo(op.reshape(x, spread), wide), flat));
}
} // namespace

void register_tile(Registry &registry) {
  registry.onOp("Tile", {1, 6, 13}, "input[R*] repeats[#R] tiles[]|[1] axis[]|[1]", lowerTile);
}

} // namespace sinter
