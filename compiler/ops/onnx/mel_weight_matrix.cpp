// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MelWeightMatrix: triangles over spectrogram bins, one per mel bin. A constant where its operands are.
#include "ops/math.h"
#include "ops/meeting.h"
#include "ops/norms.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerMelWeightMatrix(Op &op) {
  FailureOr<Sizes> bins = op.elements(0, "num_mel_bins"), length = op.elements(1, "dft_length");
  if (failed(bins) || failed(length))
    return failure();
  Size spectrum = add(op.b, op.loc, floorDiv(op.b, op.loc, length->front(), 2), sizeOf(op.b, 1));
  FailureOr<Sizes> sizes = boundedSizes(op, {spectrum, bins->front()});
  if (failed(sizes))
    return failure();
  // Operands as doubles, outside of the loops.
  Scalars outside{op.b, op.loc, ElementType::Double};
  auto number = [&](unsigned i) -> Value {
    Tensor x = op.input(i);
    Value element = widen(op.b, op.loc, x.element, onlyElement(op.b, op.loc, x));
    return Scalars{op.b, op.loc, x.element}.castTo(ElementType::Double, element);
  };
  auto mel = [&](Value hertz) {
    return outside.mul(outside.constant(2595 / std::log(10.0)),
                       log1p(outside, outside.div(hertz, outside.constant(700))));
  };
  Value dft = number(1), rate = number(2), low = mel(number(3)), high = mel(number(4));
  Value step = outside.div(outside.sub(high, low), outside.add(number(0), outside.constant(2)));
  Tensor y = op.generate(*sizes, ElementType::Double, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars s{nb, op.loc, ElementType::Double};
    Value i = indexAsFloat(s, at[1]), j = indexAsFloat(s, at[0]), zero = s.constant(0), one = s.constant(1);
    // The spectrogram bin of edge i + k.
    auto edge = [&](double k) -> Value {
      Value position = s.add(s.mul(s.add(i, s.constant(k)), step), low);
      Value hertz = s.mul(s.constant(700), expm1(s, s.mul(position, s.constant(std::log(10.0) / 2595))));
      return nb.create<math::FloorOp>(op.loc, s.div(s.mul(s.add(dft, one), hertz), rate));
    };
    Value left = edge(0), center = edge(1), right = edge(2);
    auto both = [&](Value p, Value q) -> Value { return nb.create<arith::AndIOp>(op.loc, p, q); };
    Value rise = s.sub(center, left), fall = s.sub(right, center), flat = s.compare(Compare::Equal, rise, zero);
    Value rising =
        s.select(both(s.compare(Compare::GreaterOrEqual, j, left), s.compare(Compare::LessOrEqual, j, center)),
                 s.div(s.sub(j, left), rise), zero);
    Value start = s.select(flat, s.select(s.compare(Compare::Equal, j, center), one, zero), rising);
    Value falls = both(s.compare(Compare::Greater, fall, zero),
                       both(s.compare(Compare::GreaterOrEqual, j, center), s.compare(Compare::Less, j, right)));
    return s.select(falls, s.div(s.sub(right, j), fall), start);
  });
  return op.result(op.cast(y, static_cast<ElementType>(op.integer("output_datatype", 1))));
}
} // namespace

void register_mel_weight_matrix(Registry &registry) {
  registry.onOp("MelWeightMatrix", {17},
                "num_mel_bins[] dft_length[] sample_rate[] lower_edge_hertz[] upper_edge_hertz[] "
                "value(num_mel_bins)>=0 value(dft_length)>=0 output_datatype=1|2|3|4|5|6|7|10|11|12|13|16",
                lowerMelWeightMatrix);
}

} // namespace sinter
