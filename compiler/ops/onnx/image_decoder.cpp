// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ImageDecoder, and DecodeImage of onnxruntime-extensions: height and width stand in the stream, so one kernel reads
// them and another one the pixels. Both call the libraries of the formats. What is no picture is status 8, where ONNX
// would have an empty tensor.
#include "ir/libraries.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

Tensor kernelOfPictures(const Op &op, StringRef name, Op::KernelOutput output, ArrayRef<NamedAttribute> params = {}) {
  Tensor made = op.kernel(name, {op.input(0)}, {output}, params)[0];
  setLibraries(made.value.getDefiningOp<KernelOp>(), {"jpeg", "openjp2", "png", "tiff", "webp"});
  return made;
}

LogicalResult lowerImageDecoder(Op &op, StringRef format) {
  Tensor found = kernelOfPictures(op, "image_size", {{sizeOf(op.b, 2)}, ElementType::Int64});
  Sizes sizes;
  for (int64_t i = 0; i < 2; ++i) {
    Value place = op.b.create<arith::ConstantIndexOp>(op.loc, i);
    Value size = op.b.create<tensor::ExtractOp>(op.loc, found.value, place);
    sizes.push_back(op.b.create<arith::IndexCastOp>(op.loc, op.b.getIndexType(), size).getResult());
  }
  sizes.push_back(sizeOf(op.b, format == "Grayscale" ? 1 : 3));
  FailureOr<Sizes> bounded = boundedSizes(op, sizes);
  if (failed(bounded))
    return failure();
  return op.result(
      kernelOfPictures(op, "decode_image", {*bounded, ElementType::UInt8}, {op.param("is_bgr", format == "BGR")}));
}
} // namespace

void register_image_decoder(Registry &registry) {
  registry.onOp("ImageDecoder", {20}, "encoded_stream[_] pixel_format=RGB|BGR|Grayscale",
                [](Op &op) { return lowerImageDecoder(op, op.string("pixel_format")); });
  registry.onOp(
      "DecodeImage", {1}, "raw_bytes[_] color_space=bgr|rgb",
      [](Op &op) { return lowerImageDecoder(op, op.string("color_space", "bgr") == "rgb" ? "RGB" : "BGR"); },
      "com.microsoft.extensions");
}

} // namespace sinter
