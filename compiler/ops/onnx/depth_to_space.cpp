// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DepthToSpace and SpaceToDepth: a transpose between two reshapes.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t largestBlock = 1 << 20; ///< its square is as large as a tensor may be (frontend/limits.h)

LogicalResult lowerDepthToSpace(Op &op) {
  Tensor x = op.input(0);
  int64_t block = op.integer("blocksize", 1);
  if (x.rank() != 4 || block < 1)
    return op.fail(Code::ShapeMismatch, "DepthToSpace takes a tensor of rank 4 and a positive blocksize");
  if (block > largestBlock)
    return op.fail(Code::TooManyElements, "blocksize is more than " + Twine(largestBlock));
  Sizes s = op.sizes(x);
  Size side = sizeOf(op.b, block), depth = floorDiv(op.b, op.loc, s[1], block * block);
  Size height = mul(op.b, op.loc, s[2], side), width = mul(op.b, op.loc, s[3], side);
  if (op.string("mode", "DCR") == "CRD")
    return op.result(op.reshape(op.transpose(op.reshape(x, {s[0], depth, side, side, s[2], s[3]}), {0, 1, 4, 2, 5, 3}),
                                {s[0], depth, height, width}));
  return op.result(op.reshape(op.transpose(op.reshape(x, {s[0], side, side, depth, s[2], s[3]}), {0, 3, 4, 1, 5, 2}),
                              {s[0], depth, height, width}));
}

LogicalResult lowerSpaceToDepth(Op &op) {
  Tensor x = op.input(0);
  int64_t block = op.integer("blocksize", 1);
  if (x.rank() != 4 || block < 1)
    return op.fail(Code::ShapeMismatch, "SpaceToDepth takes a tensor of rank 4 and a positive blocksize");
  if (block > largestBlock)
    return op.fail(Code::TooManyElements, "blocksize is more than " + Twine(largestBlock));
  Sizes s = op.sizes(x);
  Size side = sizeOf(op.b, block), height = floorDiv(op.b, op.loc, s[2], block),
       width = floorDiv(op.b, op.loc, s[3], block);
  Tensor split = op.reshape(x, {s[0], s[1], height, side, width, side});
  if (op.string("mode", "DCR") == "CRD")
    return op.result(op.reshape(op.transpose(split, {0, 1, 3, 5, 2, 4}),
                                {s[0], mul(op.b, op.loc, s[1], sizeOf(op.b, block * block)), height, width}));
  return op.result(op.reshape(op.transpose(split, {0, 3, 5, 1, 2, 4}),
                              {s[0], mul(op.b, op.loc, s[1], sizeOf(op.b, block * block)), height, width}));
}
} // namespace

void register_depth_to_space(Registry &registry) {
  registry.onOp("DepthToSpace", {1, 11, 13, 28}, "input[N,C,H,W] blocksize>=1 C%(blocksize*blocksize)=0 mode=DCR|CRD",
                lowerDepthToSpace);
  registry.onOp("SpaceToDepth", {1, 13, 28}, "input[N,C,H,W] blocksize>=1 H%blocksize=0 W%blocksize=0 mode=DCR|CRD",
                lowerSpaceToDepth);
}

} // namespace sinter
