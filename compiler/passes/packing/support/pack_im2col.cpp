// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant operands of contractions of bytes for small cores (templates/im2col/im2col_rows.h, depthwise_*.h):
//   matmul, conv   [n, k]       -> [ceil(n / 4), k filled up, 4]                               kernel "conv_im2col", "gemm_im2col"
//     with vectors               -> [ceil(n / 4), k filled up / 16, 4, 16]
//   depthwise      [c, taps]    -> [taps, c]                                                   kernel "depthwise_im2col"
//     with vectors               -> [c filled up, 1 or 2 rows of outputs, 4 columns, 4 rows]    kernel "depthwise_columns"
// The parameter `runs` says of a convolution's rows how many parts of k are filled up each.
// Kernels read signed bytes (the parameter `zero` is the input's zero point among them, and what stands for padding);
// what zero points add to the sums goes into the bias.
//
// Precondition: weights are known, and less their zero point still bytes; feature maps are channels-last, in one block.
#include "pack_im2col.h"

#include "byte_contractions.h"
#include "kernels/im2col/support/im2col_core.h"
#include "passes/quantized/support/fixed_writer.h"
#include "passes/support/contractions.h"
#include "templates/im2col/depthwise_columns.h"

using namespace mlir;

namespace sinter {
namespace {

struct Im2colPacker : BytePacker {
  const Im2colCore &core;

  /// [n, k] signed bytes -> the core's order; `runs` of a row are filled up each.
  Tensor rows(Tensor nk, int64_t runs) const {
    int64_t n = nk.shape()[0], run = nk.shape()[1] / runs, length = llvm::alignTo(run, core.step),
            filled = runs * length, fours = llvm::divideCeil(n, 4);
    if (core.headerBytes > 0) // as unsigned bytes with 128 added; what fills up is 0
      nk = tensors().elementwise({nk}, ElementType::Int8,
                                 [](const Scalars &s, ValueRange x) { return s.add(x[0], s.integer(-128)); });
    nk = reshaped(padded(reshaped(nk, {n, runs, run}), 2, 0, length - run), {n, filled});
    nk = padded(nk, 0, 0, fours * 4 - n);
    if (!core.isVector)
      return tensors().transpose(reshaped(nk, {fours, 4, filled}), {0, 2, 1});
    nk = reshaped(nk, {fours, 4, filled / core.step, core.step});
    return tensors().transpose(nk, {0, 2, 1, 3});
  }
  /// [channels, kernelH, kernelW] -> columns of four rows.
  Tensor columns(Tensor x, int64_t rows) const {
    int64_t channels = x.shape()[0], height = x.shape()[1], width = x.shape()[2], filled = llvm::alignTo(channels, 4);
    x = padded(padded(x, 0, 0, filled - channels), 2, 0, 4 - width);
    SmallVector<Tensor> each;
    for (int64_t r = 0; r < rows; ++r)
      each.push_back(reshaped(tensors().transpose(padded(x, 1, r, 4 - r - height), {0, 2, 1}), {filled, 1, 16}));
    return rows == 1 ? each[0] : tensors().concat(each, 1);
  }
};

/// The zero point of inputs as signed bytes.
int64_t signedZero(bool isUnsigned, int64_t zero) { return isUnsigned ? zero - 128 : zero; }

/// Brings the epilogue into the form of one multiplication and rounding, so that its bias takes in what zero points
/// add, and kernels of four sums know it.
template <class Contraction>
void settleIm2col(Contraction op, const Im2colCore &core, Requant requant, EvaluationCache &cache) {
  bool isFixed = requant == Requant::Fixed;
  if (core.isVector || isFixed)
    if (std::optional<ElementBody> body = ElementBody::of(op))
      writeFixed(*body, isFixed ? RescaleBy::Fixed : RescaleBy::Float, cache);
}

void packIm2colOperands(MatmulOp matmul, const Im2colCore &core, Requant requant, EvaluationCache &cache) {
  if (!isByteContraction(matmul))
    return;
  OpBuilder b(matmul);
  Im2colPacker packer{{b, matmul.getLoc(), cache}, core};
  std::optional<Tensor> weights = packer.weights(matmul.getRhs(), matmul.isRhsUnsigned(), matmul.getRhsZero());
  if (!weights)
    return;
  settleIm2col(matmul, core, requant, cache);
  Tensor nk = matmul.getTransposeRhs() ? *weights : packer.tensors().transpose(*weights, {1, 0});
  bool isUnsigned = matmul.isLhsUnsigned();
  int64_t zero = signedZero(isUnsigned, matmul.getLhsZero()), taken = zero + (core.headerBytes > 0 ? 128 : 0);
  if (taken || core.isVector)
    takeZeroOff(matmul, nk, taken, packer);
  Tensor packed = packer.rows(nk, 1);
  matmul.getRhsMutable().assign(packer.reshaped(packed, {packed.type().getNumElements() / 4, 4}).value);
  matmul.setTransposeRhs(false);
  matmul.setKernelAttr(KernelAttr::get(b.getContext(), "gemm_im2col", b.getDictionaryAttr({})));
  matmul.setLhsZero(0);
  matmul.setRhsZero(0);
  matmul.setSigns(isUnsigned ? "uu" : "su");
}

void packIm2colOperands(ConvOp conv, const Im2colCore &core, Requant requant, EvaluationCache &cache) {
  std::optional<ConvSizes> sizes = sizesOfBytes(conv);
  if (!sizes)
    return;
  bool isDepthwise = sizes->groups == sizes->channels && sizes->groups == sizes->filters && sizes->groups > 1;
  if (sizes->groups != 1 && !isDepthwise)
    return;
  OpBuilder b(conv);
  Im2colPacker packer{{b, conv.getLoc(), cache}, core};
  std::optional<Tensor> weights = packer.weights(conv.getFilter(), conv.isFilterUnsigned(), conv.getFilterZero());
  if (!weights)
    return;
  settleIm2col(conv, core, requant, cache);
  bool isUnsigned = conv.isInputUnsigned();
  int64_t width = sizes->taps.back(), height = sizes->spatial == 2 ? sizes->taps[0] : 1;
  bool isColumns = isDepthwise && core.isVector && !isUnsigned && height <= 4 && width <= 4 &&
                   llvm::all_of(conv.getDilations(), [](int64_t dilation) { return dilation == 1; });
  // Windows are read as they are.
  bool isWindows = isDepthwise && !isColumns;
  int64_t zero = isWindows ? static_cast<int64_t>(conv.getInputZero()) : signedZero(isUnsigned, conv.getInputZero());
  int64_t taken = zero + (!isDepthwise && core.headerBytes > 0 ? 128 : 0);
  if (taken || core.isVector)
    takeZeroOff(conv, *weights, taken, packer);
  int64_t perGroup = sizes->channels / sizes->groups, taps = height * width;
  SmallVector<NamedAttribute> params{b.getNamedAttr("taps", b.getDenseI64ArrayAttr(sizes->taps)),
                                     b.getNamedAttr("zero", b.getI64IntegerAttr(zero))};
  Tensor packed;
  if (isColumns) {
    int64_t rows = columnRows(height, sizes->spatial == 2 ? conv.getStrides()[0] : 1);
    packed = packer.columns(packer.reshaped(*weights, {sizes->channels, height, width}), rows);
  } else if (isWindows) {
    packed = packer.tensors().transpose(packer.reshaped(*weights, {sizes->channels, taps}), {1, 0});
  } else {
    Tensor last = packer.tensors().transpose(packer.reshaped(*weights, {sizes->filters, perGroup, taps}), {0, 2, 1});
    int64_t runs = core.runs(height, width, perGroup, sizes->filters);
    packed = packer.rows(packer.reshaped(last, {sizes->filters, taps * perGroup}), runs);
    params.push_back(b.getNamedAttr("runs", b.getI64IntegerAttr(runs)));
  }
  conv.getFilterMutable().assign(packed.value);
  conv.setKernelAttr(KernelAttr::get(b.getContext(),
                                     isColumns   ? "depthwise_columns"
                                     : isWindows ? "depthwise_im2col"
                                                 : "conv_im2col",
                                     b.getDictionaryAttr(params)));
  conv.setInputZero(0);
  conv.setFilterZero(0);
  conv.setSigns(isUnsigned ? (isDepthwise ? "us" : "uu") : isDepthwise ? "ss" : "su");
}

} // namespace

void packIm2col(ModuleOp module, const Im2colCore &core, Requant requant) {
  EvaluationCache cache;
  for (Operation *op : contractionsOf(module))
    if (auto matmul = dyn_cast<MatmulOp>(op))
      packIm2colOperands(matmul, core, requant, cache);
    else
      packIm2colOperands(cast<ConvOp>(op), core, requant, cache);
}

} // namespace sinter
