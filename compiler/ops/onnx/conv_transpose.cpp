// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ConvTranspose: a convolution of x, spread out by the strides with zeros between, with the filter turned round and its
// channel dims swapped. The filter's part is constant and folds.
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"
#include "ops/spatial.h"

using namespace mlir;

namespace sinter {
namespace {

/// x with stride - 1 zeros between neighbours in each spatial dim.
Tensor spreadByStrides(const Op &op, Tensor x, ArrayRef<int64_t> strides) {
  if (llvm::all_of(strides, [](int64_t s) { return s == 1; }))
    return x;
  Sizes own = op.sizes(x), wide = own;
  SmallVector<Size> offsets(own.size(), sizeOf(op.b, 0)), steps(own.size(), sizeOf(op.b, 1));
  for (auto [i, stride] : llvm::enumerate(strides)) {
    Size gaps = sub(op.b, op.loc, own[i + 2], sizeOf(op.b, 1));
    wide[i + 2] = add(op.b, op.loc, mul(op.b, op.loc, gaps, sizeOf(op.b, stride)), sizeOf(op.b, 1));
    steps[i + 2] = sizeOf(op.b, stride);
  }
  Value zero = narrow(op.b, op.loc, x.element, Scalars{op.b, op.loc, x.element}.constant(0));
  Tensor zeros = op.filled(wide, x.element, zero);
  return {op.b.create<tensor::InsertSliceOp>(op.loc, x.value, zeros.value, offsets, own, steps), x.element};
}

/// [c, k / group, ...] to [k, c / group, ...], spatial dims reversed.
Tensor turned(const Op &op, Tensor w, int64_t group) {
  Sizes sizes = op.sizes(w);
  SmallVector<int64_t> spatial = llvm::to_vector(llvm::seq<int64_t>(2, w.rank())), split{0, 2, 1};
  w = op.flip(w, spatial);
  Sizes grouped{sizeOf(op.b, group), divide(op.b, op.loc, sizes[0], sizeOf(op.b, group)), sizes[1]};
  Sizes result{mul(op.b, op.loc, sizes[1], sizeOf(op.b, group)), grouped[1]};
  for (int64_t i : spatial) {
    grouped.push_back(sizes[i]);
    result.push_back(sizes[i]);
    split.push_back(i + 1);
  }
  return op.reshape(op.transpose(op.reshape(w, grouped), split), result);
}

/// An output_shape stands for pads, which are not negative, and output_padding, which is below a stride or dilation:
/// output <= (input - 1) * stride + extent + max(stride, dilation) - 1.
LogicalResult mustReach(const Op &op, Size full, int64_t output, int64_t step, int64_t dim) {
  Size most = add(op.b, op.loc, full, sizeOf(op.b, step - 1));
  return mustHold(op, relationHolds(op, ">=", most, sizeOf(op.b, output)),
                  "output_shape asks for " + Twine(output) + " places of spatial dim " + Twine(dim) +
                      ", more than the filter reaches from the input");
}

LogicalResult lowerConvTranspose(Op &op) {
  Tensor x = op.input(0), w = op.input(1);
  int64_t group = op.integer("group", 1), rank = x.rank() - 2;
  if (rank < 1 || w.rank() != x.rank() || group < 1)
    return op.fail(Code::ShapeMismatch, "input of rank " + Twine(x.rank()) + " and filter of rank " + Twine(w.rank()));
  if (std::optional<int64_t> channels = constantOf(op.sizes(w)[0]); channels && *channels % group != 0)
    return op.fail(Code::ShapeMismatch,
                   Twine(*channels) + " channels of the filter are no " + Twine(group) + " groups");
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  SmallVector<int64_t> strides = op.integers("strides", ones), pads = op.integers("pads", zeros),
                       extra = op.integers("output_padding", zeros);
  SmallVector<int64_t> outputShape = op.integers("output_shape");
  // An empty map gives what one of a zero gives.
  Tensor inside = neverEmpty(op, x, llvm::to_vector(llvm::seq<int64_t>(2, x.rank())));
  Window window;
  window.strides = ones;
  window.dilations = op.integers("dilations", ones);
  if (static_cast<int64_t>(strides.size()) != rank || static_cast<int64_t>(window.dilations.size()) != rank ||
      static_cast<int64_t>(pads.size()) != 2 * rank || static_cast<int64_t>(extra.size()) < rank)
    return op.fail(Code::ShapeMismatch,
                   "strides, dilations, pads or output_padding do not fit " + Twine(rank) + " spatial dims");
  // Of output_shape only the spatial part counts; some exporters give all dims.
  outputShape.erase(outputShape.begin(),
                    outputShape.begin() + std::max<int64_t>(0, static_cast<int64_t>(outputShape.size()) - rank));
  StringRef mode = op.string("auto_pad", "NOTSET");
  bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (mode == "VALID")
    pads = zeros;
  for (int64_t i = 0; i < rank; ++i) {
    window.kernel.push_back(op.size(w, i + 2));
    Size input = op.size(x, i + 2), stride = sizeOf(op.b, strides[i]), extent = window.extent(op, i);
    Size full = add(op.b, op.loc, mul(op.b, op.loc, sub(op.b, op.loc, input, sizeOf(op.b, 1)), stride), extent);
    int64_t step = std::max(strides[i], window.dilations[i]);
    if (!outputShape.empty() && failed(mustReach(op, full, outputShape[i], step, i)))
      return failure();
    full = add(op.b, op.loc, full, sizeOf(op.b, extra[i]));
    Size low = sizeOf(op.b, pads[i]), output = sub(op.b, op.loc, full, sizeOf(op.b, pads[i] + pads[rank + i]));
    if (!outputShape.empty() || same) {
      output = outputShape.empty() ? mul(op.b, op.loc, input, stride) : sizeOf(op.b, outputShape[i]);
      Size total = sub(op.b, op.loc, full, output), half = floorDiv(op.b, op.loc, total, 2);
      low = mode == "SAME_UPPER" ? half : sub(op.b, op.loc, total, half);
    }
    // Output 0 reads the filter's last tap `extent - 1 - low` places before x.
    window.low.push_back(sub(op.b, op.loc, sub(op.b, op.loc, extent, sizeOf(op.b, 1)), low));
    window.outputs.push_back(output);
    Size spreadSize =
        add(op.b, op.loc, mul(op.b, op.loc, sub(op.b, op.loc, op.size(inside, i + 2), sizeOf(op.b, 1)), stride),
            sizeOf(op.b, 1));
    Size needed = add(op.b, op.loc, output, sub(op.b, op.loc, extent, sizeOf(op.b, 1)));
    window.high.push_back(sub(op.b, op.loc, sub(op.b, op.loc, needed, spreadSize), window.low[i]));
  }
  return op.result(convolveWithBias(op, spreadByStrides(op, inside, strides), turned(op, w, group), window, group,
                                    op.has(2) ? std::optional(op.input(2)) : std::nullopt));
}
} // namespace

void register_conv_transpose(Registry &registry) {
  registry.onOp(
      "ConvTranspose", {1, 11, 22},
      "X[N,C,D+] W[C,M,K+] B[M*group] #K=#D K>=1 group>=1 C%group=0 kernel_shape[#D] kernel_shape=K strides[#D] "
      "strides>=1 dilations[#D] dilations>=1 pads[2*#D] pads>=0 pads<1099511627776 output_shape[#D|#D+2] "
      "output_shape>=1 output_padding[#D] "
      "output_padding>=0 output_padding<max(or(strides,1),or(dilations,1)) "
      "auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID",
      lowerConvTranspose);
}

} // namespace sinter
