// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.nchwc: what onnxruntime's optimizer writes for convolutions and pools on a CPU. Its maps have channels
// in blocks: elements lie as [N, C / block, H, W, block] though the shape says [N, C, H, W], and filters alike. Here
// such a map is [N, C, H, W] as others are, wherever only this domain and operators of single elements see it; its
// elements lie in blocks where others read it (nchwc_maps.h).
#include "ops/activation.h"
#include "ops/domains.h"
#include "ops/nchwc_maps.h"

using namespace mlir;

namespace sinter {
namespace {
/// W of `shape` [M, I, H, W]: its elements lie as [M / block, I / block, H, W, block of I, block of M], or without
/// blocks of I where a group's maps are not in blocks.
Tensor plainFilter(const Op &op, Tensor w, int64_t block) {
  Sizes sizes = op.sizes(w);
  ArrayRef<int64_t> shape = w.shape();
  if (shape[1] < block) {
    Tensor blocks = op.reshape(w, sizesOf(op.b, {shape[0] / block, shape[1], shape[2], shape[3], block}));
    return op.reshape(op.transpose(blocks, {0, 4, 1, 2, 3}), sizes);
  }
  Tensor blocks = op.reshape(w, sizesOf(op.b, {shape[0] / block, shape[1] / block, shape[2], shape[3], block, block}));
  return op.reshape(op.transpose(blocks, {0, 5, 1, 4, 2, 3}), sizes);
}

LogicalResult lowerNchwcConv(Op &op) {
  FailureOr<int64_t> block = nchwcBlock(op);
  if (failed(block))
    return failure();
  Tensor w = op.input(1);
  if (!w.type().hasStaticShape())
    return op.fail(Code::ShapeNotConstant, "'W' has dims that are not known");
  int64_t outputs = w.shape()[0], perGroup = w.shape()[1], group = op.integer("group");
  if (outputs % *block || (perGroup >= *block && perGroup % *block) ||
      (group > 1 && perGroup < *block && perGroup != 1))
    return op.fail(Code::ShapeMismatch, "'W' has " + Twine(outputs) + " maps of " + Twine(perGroup) +
                                            " channels, which are not whole blocks of " + Twine(*block));
  // Few channels are read as they lie, but for one filter for each channel.
  bool inBlocks = perGroup >= *block || group > 1;
  FailureOr<Tensor> x = inBlocks ? plainMap(op, 0, *block) : FailureOr<Tensor>(op.input(0));
  if (failed(x))
    return failure();
  SmallVector<Tensor> operands{*x, plainFilter(op, w, *block), op.inputOrNone(2), Tensor()};
  if (op.has(3)) {
    FailureOr<Tensor> sum = plainMap(op, 3, *block);
    if (failed(sum))
      return failure();
    operands[3] = *sum;
  }
  auto y = op.call("FusedConv", 1, operands, llvm::to_vector(op.node.getAttrs()), 1, "com.microsoft");
  return failed(y) ? failure() : op.result(resultMap(op, (*y)[0], *block));
}

/// An operator that treats channels alike.
Lowering ofChannels(StringRef name, int64_t since) {
  return [name, since](Op &op) -> LogicalResult {
    FailureOr<int64_t> block = nchwcBlock(op);
    FailureOr<Tensor> x = failed(block) ? FailureOr<Tensor>() : plainMap(op, 0, *block);
    if (failed(x))
      return failure();
    auto y = op.call(name, since, *x, llvm::to_vector(op.node.getAttrs()));
    return failed(y) ? failure() : op.result(resultMap(op, (*y)[0], *block));
  };
}

LogicalResult lowerNchwcUpsample(Op &op) {
  FailureOr<int64_t> block = nchwcBlock(op);
  FailureOr<Tensor> x = failed(block) ? FailureOr<Tensor>() : plainMap(op, 0, *block);
  if (failed(x))
    return failure();
  Scalars s{op.b, op.loc, ElementType::Float};
  SmallVector<Value> scales;
  for (int64_t scale : op.integers("scales"))
    scales.push_back(s.constant(double(scale)));
  NamedAttribute attributes[] = {
      op.b.getNamedAttr("mode", op.b.getStringAttr(op.string("mode"))),
      op.b.getNamedAttr("nearest_mode", op.b.getStringAttr("floor")),
      op.b.getNamedAttr("coordinate_transformation_mode",
                        op.b.getStringAttr(op.string("mode") == "nearest"
                                               ? "asymmetric"
                                               : op.string("coordinate_transformation_mode")))};
  auto y = op.call("Resize", 13, {*x, Tensor(), op.fromElements(ElementType::Float, scales)}, attributes);
  return failed(y) ? failure() : op.result(resultMap(op, (*y)[0], *block));
}

LogicalResult lowerReorderInput(Op &op) {
  FailureOr<int64_t> block = nchwcBlock(op);
  if (failed(block))
    return failure();
  Tensor x = op.input(0);
  if (op.integer("channels_last"))
    x = op.transpose(x, {0, 3, 1, 2});
  std::optional<int64_t> channels = constantOf(op.size(x, 1));
  if (!channels)
    return op.fail(Code::ShapeNotConstant, "the number of channels is not known");
  SmallVector<int64_t> low(4, 0),
      high{0, int64_t(llvm::alignTo(uint64_t(*channels), uint64_t(*block))) - *channels, 0, 0};
  if (high[1])
    x = op.pad(x, sizesOf(op.b, low), sizesOf(op.b, high), Scalars{op.b, op.loc, x.element}.constant(0));
  return op.result(resultMap(op, x, *block));
}

LogicalResult lowerReorderOutput(Op &op) {
  FailureOr<int64_t> block = nchwcBlock(op);
  FailureOr<Tensor> x = failed(block) ? FailureOr<Tensor>() : plainMap(op, 0, *block);
  if (failed(x))
    return failure();
  Sizes sizes = op.sizes(*x);
  sizes[1] = sizeOf(op.b, op.integer("channels"));
  SmallVector<int64_t> zeros(4, 0), ones(4, 1);
  Tensor y = op.slice(*x, sizesOf(op.b, zeros), sizes, sizesOf(op.b, ones));
  return op.result(op.integer("channels_last") ? op.transpose(y, {0, 2, 3, 1}) : y);
}
} // namespace

void register_contrib_nchwc(Registry &registry) {
  registry.onOp("Conv", {1},
                "X[N,C,_,_] W[M,C/group,K,L] B[M] Sum[N,M,_,_] group>=1 C%group=0 M%group=0 kernel_shape[2] "
                "at(kernel_shape,0)=K at(kernel_shape,1)=L K>=1 L>=1 strides[2] strides>=1 dilations[2] dilations>=1 "
                "pads[4] pads>=0 auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID",
                lowerNchwcConv, nchwcDomain);
  registry.onOp("MaxPool", {1},
                "X[_,_,_,_] kernel_shape[2] kernel_shape>=1 strides[2] strides>=1 dilations[2] dilations>=1 pads[4] "
                "pads>=0 auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID storage_order=0|1 ceil_mode=0|1",
                ofChannels("MaxPool", 12), nchwcDomain);
  registry.onOp("AveragePool", {1},
                "X[_,_,_,_] kernel_shape[2] kernel_shape>=1 strides[2] strides>=1 dilations[2] dilations>=1 pads[4] "
                "pads>=0 auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID ceil_mode=0|1 count_include_pad=0|1",
                ofChannels("AveragePool", 19), nchwcDomain);
  registry.onOp("GlobalMaxPool", {1}, "X[_,_,_,_]", ofChannels("GlobalMaxPool", 1), nchwcDomain);
  registry.onOp("GlobalAveragePool", {1}, "X[_,_,_,_]", ofChannels("GlobalAveragePool", 1), nchwcDomain);
  registry.onOp("Upsample", {1},
                "X[_,_,_,_] scales[4] scales>=1 at(scales,0)=1 at(scales,1)=1 mode=nearest|linear "
                "coordinate_transformation_mode=asymmetric|align_corners|half_pixel",
                lowerNchwcUpsample, nchwcDomain);
  registry.onOp("ReorderInput", {1}, "X[_,_,_,_] channels_last=0|1", lowerReorderInput, nchwcDomain);
  registry.onOp("ReorderOutput", {1}, "X[_,C,_,_] 1<=channels<=C channels_last=0|1", lowerReorderOutput, nchwcDomain);
}

} // namespace sinter
