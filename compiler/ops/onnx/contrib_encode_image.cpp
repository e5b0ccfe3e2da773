// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.extensions.EncodeImage: a picture as a PNG or JPEG, by the libraries of these formats. How long the
// stream is tells the picture; there is room for one that could not be compressed.
#include "ir/libraries.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerContribEncodeImage(Op &op) {
  Tensor x = op.input(0);
  bool isJpeg = op.string("format", "png") == "jpg";
  // A pixel of noise takes a JPEG up to twice its bytes; what does not depend on the size are heads and tables.
  Size pixels = mul(op.b, op.loc, op.size(x, 0), op.size(x, 1));
  constexpr int64_t bytesEach = 8, heads = 4096;
  Size most = add(op.b, op.loc, mul(op.b, op.loc, pixels, sizeOf(op.b, bytesEach)), sizeOf(op.b, heads));
  NamedAttribute params[] = {op.param("is_bgr", op.string("color_space", "bgr") == "bgr"), op.param("is_jpeg", isJpeg)};
  SmallVector<Tensor> made =
      op.kernel("encode_image", {x}, {{{most}, ElementType::UInt8}, {{}, ElementType::Int64}}, params);
  setLibraries(made[0].value.getDefiningOp<KernelOp>(), {"jpeg", "png"});
  return op.result(heldToStatedBound(op, takeCount(op, made[0], made[1], 0), 0));
}
} // namespace

void register_contrib_encode_image(Registry &registry) {
  registry.onOp("EncodeImage", {1}, "image_bytes[H,W,3] H>=1 W>=1 format=jpg|png color_space=bgr|rgb",
                lowerContribEncodeImage, "com.microsoft.extensions");
}

} // namespace sinter
