// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HannWindow, HammingWindow, BlackmanWindow: sums of cosines over a length, periodic or symmetric. Constants where the
// length is known.
#include "ops/norms.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

/// a - b cos(2 pi n / N) + c cos(4 pi n / N)
LogicalResult window(Op &op, double a, double b, double c) {
  FailureOr<Sizes> size = op.elements(0, "size");
  if (failed(size))
    return failure();
  FailureOr<Sizes> bounded = boundedSizes(op, *size);
  if (failed(bounded))
    return failure();
  if (bounded->size() != 1)
    return op.fail(Code::ShapeMismatch, "'size' is not one number");
  auto element = static_cast<ElementType>(op.integer("output_datatype", 1));
  bool periodic = op.integer("periodic", 1) != 0;
  Tensor y = op.generate(*bounded, ElementType::Double, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars s{nb, op.loc, ElementType::Double};
    Value length = indexAsFloat(s, toValue(nb, op.loc, bounded->front()));
    if (!periodic)
      length = s.sub(length, s.constant(1));
    Value angle = s.div(s.mul(indexAsFloat(s, at[0]), s.constant(2 * M_PI)), length);
    auto cosine = [&](Value x) -> Value { return nb.create<math::CosOp>(op.loc, x); };
    Value sum = s.sub(s.constant(a), s.mul(s.constant(b), cosine(angle)));
    return c != 0 ? s.add(sum, s.mul(s.constant(c), cosine(s.add(angle, angle)))) : sum;
  });
  return op.result(op.cast(y, element));
}
} // namespace

void register_window(Registry &registry) {
  registry.onOp("HannWindow", {17}, "size[] value(size)>=0 output_datatype=1|2|3|4|5|6|7|10|11|12|13|16",
                [](Op &op) { return window(op, 0.5, 0.5, 0); });
  registry.onOp("HammingWindow", {17}, "size[] value(size)>=0 output_datatype=1|2|3|4|5|6|7|10|11|12|13|16",
                [](Op &op) { return window(op, 25.0 / 46, 1 - 25.0 / 46, 0); });
  registry.onOp("BlackmanWindow", {17}, "size[] value(size)>=0 output_datatype=1|2|3|4|5|6|7|10|11|12|13|16",
                [](Op &op) { return window(op, 0.42, 0.5, 0.08); });
}

} // namespace sinter
