// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft's matrix products: FusedMatMul, FusedGemm, FusedConv; QGemm, MatMulIntegerToFloat and
// DynamicQuantizeMatMul on 8-bit operands; MatMulNBits, whose weights are packed in blocks of 2, 4 or 8 bits;
// SparseToDenseMatMul.
#include "ops/activation.h"
#include "ops/block_quantized.h"
#include "ops/channels_last.h"
#include "ops/contraction.h"
#include "ops/domains.h"
#include "ops/quantization.h"
#include "ops/quantized_contractions.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {

namespace {
/// What the rule does not say where a batch is behind the first dim.
LogicalResult checkProduct(Op &op, Tensor a, Tensor b) {
  if ((!op.integer("transBatchA") && !op.integer("transBatchB")) || a.rank() < 2 || b.rank() < 2)
    return success();
  Size left = op.size(a, a.rank() - (op.integer("transA") ? 2 : 1));
  Size right = op.size(b, b.rank() - (op.integer("transB") ? 1 : 2));
  if (failed(mustBeEqual(op, left, right, "'A' and 'B' differ in the dim that is summed over")))
    return failure();
  for (int64_t d = 3; d <= std::min(a.rank(), b.rank()); ++d)
    if (failed(mustBroadcast(op, op.size(a, a.rank() - d), op.size(b, b.rank() - d),
                             "the batch dims of 'A' and 'B' do not broadcast")))
      return failure();
  return success();
}

LogicalResult fusedMatMul(Op &op) {
  Tensor a = op.input(0), b = op.input(1);
  // The first of [M, batch..., K] goes behind the batch.
  for (auto [name, x] : {std::pair("transBatchA", &a), std::pair("transBatchB", &b)}) {
    int64_t rank = x->rank();
    if (!op.integer(name) || rank < 3)
      continue;
    SmallVector<int64_t> order;
    llvm::append_range(order, llvm::seq<int64_t>(1, rank - 1));
    order.append({0, rank - 1});
    *x = op.transpose(*x, order);
  }
  if (failed(checkProduct(op, a, b)))
    return failure();
  bool matrices = a.rank() > 1 && b.rank() > 1;
  FailureOr<Tensor> y = matrices ? matmul(op, a, b, op.integer("transA"), op.integer("transB")) : numpyMatmul(op, a, b);
  if (failed(y))
    return failure();
  double alpha = op.real("alpha", 1);
  if (alpha == 1)
    return op.result(*y);
  return op.result(
      op.elementwise({*y}, a.element, [&](const Scalars &s, ValueRange v) { return s.mul(v[0], s.constant(alpha)); }));
}

SmallVector<NamedAttribute> attributesWithoutPrefix(Op &op, StringRef prefix) {
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attribute : op.node.getAttrs())
    if (!attribute.getName().strref().starts_with(prefix))
      kept.push_back(attribute);
  return kept;
}

LogicalResult fusedGemm(Op &op) {
  auto y = op.call("Gemm", 13, op.inputs(), attributesWithoutPrefix(op, "activation"));
  if (failed(y))
    return failure();
  SmallVector<double> parameters;
  for (StringRef name : {"activation_alpha", "activation_beta", "activation_gamma"})
    if (op.hasAttribute(name))
      parameters.push_back(op.real(name));
  return op.result(activated(op, (*y)[0], op.string("activation"), parameters));
}

LogicalResult fusedConv(Op &op) {
  SmallVector<Tensor> operands{op.input(0), op.input(1)};
  if (op.has(2))
    operands.push_back(op.input(2));
  auto y = op.call("Conv", 11, operands, attributesWithoutPrefix(op, "activation"));
  if (failed(y))
    return failure();
  Tensor sum = (*y)[0];
  if (op.has(3) && failed(op.checkBroadcast({sum, op.input(3)})))
    return failure();
  if (op.has(3))
    sum = op.elementwise({sum, op.input(3)}, sum.element,
                         [](const Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
  return op.result(activated(op, sum, op.string("activation"), op.reals("activation_params")));
}

LogicalResult matMulIntegerToFloat(Op &op) {
  FailureOr<Tensor> product = quantizedMatmul(op, op.input(0), op.inputOrNone(4), op.input(1), op.inputOrNone(5));
  if (failed(product))
    return failure();
  return op.result(scaledSums(op, *product, op.input(2), op.input(3), op.inputOrNone(6), op.input(2).element));
}

/// Of 16-bit integers, in the 32 bits of the result.
LogicalResult matMulInteger16(Op &op) {
  Tensor a = op.input(0), b = op.input(1);
  bool isUnsigned = isUnsignedInteger(a.element) && isUnsignedInteger(b.element);
  ElementType type = isUnsigned ? ElementType::UInt32 : ElementType::Int32;
  return op.result(numpyMatmul(op, op.cast(a, type), op.cast(b, type)));
}

LogicalResult dynamicQuantizeMatMul(Op &op) {
  auto a = op.call("DynamicQuantizeLinear", 11, op.input(0), {}, 3);
  if (failed(a))
    return failure();
  FailureOr<Tensor> product = quantizedMatmul(op, (*a)[0], (*a)[2], op.input(1), op.inputOrNone(3));
  if (failed(product))
    return failure();
  return op.result(scaledSums(op, *product, (*a)[1], op.input(2), op.inputOrNone(4), op.input(0).element));
}

LogicalResult qGemm(Op &op) {
  Tensor a = op.input(0), b = op.input(3), bScale = op.input(4);
  if (a.rank() != 2 || b.rank() != 2)
    return op.fail(Code::ShapeMismatch, "the operands of QGemm are matrices");
  a = op.integer("transA") ? op.transpose(a, {1, 0}) : a;
  b = op.integer("transB") ? op.transpose(b, {1, 0}) : b;
  FailureOr<Tensor> product = quantizedMatmul(op, a, op.input(2), b, op.input(5));
  if (failed(product))
    return failure();
  Tensor sum = *product;
  if (op.has(6)) {
    if (failed(op.checkBroadcast({sum, op.input(6)})))
      return failure();
    sum = op.elementwise({sum, op.input(6)}, ElementType::Int32,
                         [](const Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
  }
  double alpha = op.real("alpha", 1);
  Tensor aScale = op.elementwise({op.input(1)}, ElementType::Float,
                                 [&](const Scalars &s, ValueRange v) { return s.mul(v[0], s.constant(alpha)); });
  Tensor y = scaledSums(op, sum, aScale, bScale, {}, ElementType::Float);
  // Without a zero point the result is a float, in steps of y_scale all the same; without a scale its steps are 1.
  Tensor yScale = op.has(7) ? op.reshape(op.input(7), {}) : Tensor();
  if (!op.has(8))
    return yScale ? op.resultElementwise({y, yScale}, ElementType::Float,
                                         [](const Scalars &s, ValueRange v) { return s.div(v[0], v[1]); })
                  : op.result(y);
  if (!yScale)
    yScale = Tensors{op.b, op.loc}.scalar(ElementType::Float, 1);
  Tensor yZero = op.reshape(op.input(8), {});
  return op.result(op.elementwise({y, yScale, yZero}, yZero.element, [&](const Scalars &s, ValueRange v) {
    return quantize(s, s.div(v[0], v[1]), v[2], yZero.element);
  }));
}

/// Where columns name their scales (GPTQ's activation order), the order in which those of a scale follow each other,
/// in blocks; nothing where these are no blocks.
std::optional<SmallVector<int64_t>> orderInBlocks(ArrayRef<int64_t> groups, int64_t columns, int64_t block) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, columns));
  llvm::stable_sort(order, [&](int64_t a, int64_t b) { return groups[a] < groups[b]; });
  for (auto [i, column] : llvm::enumerate(order))
    if (groups[column] != static_cast<int64_t>(i) / block)
      return std::nullopt;
  return order;
}

LogicalResult matMulNBits(Op &op) {
  Tensor a = op.input(0), packed = op.input(1), scales = op.input(2), zeros = op.inputOrNone(3);
  int64_t k = op.integer("K"), n = op.integer("N"), bits = op.integer("bits", 4), block = op.integer("block_size");
  if (bits != 2 && bits != 4 && bits != 8)
    return op.unsupported("MatMulNBits with bits = " + Twine(bits), "2, 4 and 8 bits are supported");
  if (block < 1 || block % (8 / bits))
    return op.unsupported("block_size = " + Twine(block), "a block has at least one element, and whole bytes");
  int64_t blocks = (k + block - 1) / block, perByte = 8 / bits, zeroBytes = (blocks + perByte - 1) / perByte,
          blockBytes = (block + perByte - 1) / perByte;
  bool packedZeros = zeros && zeros.element == ElementType::UInt8;
  auto holds = [&](Tensor x, StringRef name, int64_t perRow) -> LogicalResult {
    if (!x || (x.type().hasStaticShape() && n > 0 && k > 0 && x.type().getNumElements() == n * perRow))
      return success();
    return op.fail(Code::ShapeMismatch,
                   "'" + name + "' does not hold " + Twine(perRow) + " elements for each of " + Twine(n) +
                       " columns, as K = " + Twine(k) + ", block_size = " + Twine(block) +
                       " and bits = " + Twine(bits) + " ask for",
                   "check the node's attributes, or quantize the model again");
  };
  if (failed(holds(packed, "B", blocks * blockBytes)) || failed(holds(scales, "scales", blocks)) ||
      failed(holds(zeros, "zero_points", packedZeros ? zeroBytes : blocks)))
    return failure();
  // A block begins a byte, so that a row of blocks is a row of numbers, with some left over behind K.
  packed = op.reshape(packed, sizesOf(op.b, {n, blocks * blockBytes}));
  scales = op.reshape(scales, sizesOf(op.b, {n, blocks}));
  if (zeros)
    zeros = op.reshape(zeros, sizesOf(op.b, {n, packedZeros ? zeroBytes : blocks}));
  BlockQuantized inBlocks{packed, scales, zeros, bits, block, op.inputOrNone(4)};
  // The least that accuracy level 4 asks for is rows of A in blocks of int8; onnxruntime takes it where it can, and has
  // no such kernels for longer blocks, few ones of 2 bits, and columns that name their scales.
  bool hasKernel = bits == 2 ? block >= 32 && block <= 128 : block <= 256;
  bool lhsBytes = op.integer("accuracy_level") == 4 && hasKernel && (!zeros || packedZeros) && !inBlocks.groups;
  Tensor order;
  if (std::optional<SmallVector<int64_t>> groups = inBlocks.groups ? op.constantIntegers(4) : std::nullopt) {
    if (std::optional<SmallVector<int64_t>> known = orderInBlocks(*groups, k, block)) {
      inBlocks.groups = {};
      if (!llvm::is_sorted(*known)) {
        order = op.integers(*known);
        auto ordered = op.call("Gather", 13, {a, order}, op.param("axis", int64_t(-1)));
        if (failed(ordered))
          return failure();
        a = ordered->front();
      }
    }
  }
  Tensor weights = inBlocks.isConstant() && !inBlocks.groups
                       ? constantBlocks(op, inBlocks, n, k, a.element, lhsBytes, true, order)
                       : dequantized(op, inBlocks, sizeOf(op.b, k), a.element);
  FailureOr<Tensor> y = matmul(op, a.rank() == 1 ? op.unsqueeze(a, 0) : a, weights, false, true);
  if (failed(y))
    return failure();
  Tensor product = a.rank() == 1 ? op.squeeze(*y, 0) : *y;
  if (!op.has(5))
    return op.result(product);
  return op.resultElementwise({product, op.input(5)}, a.element,
                              [](const Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
}

/// A sparse A is a constant, which the importer has made dense.
LogicalResult sparseToDenseMatMul(Op &op) {
  Tensor a = op.input(0), b = op.input(1);
  if (op.integer("transA"))
    a = op.transpose(a, {1, 0});
  if (op.integer("transB"))
    b = op.transpose(b, {1, 0});
  FailureOr<Tensor> y = numpyMatmul(op, a, b);
  double alpha = op.real("alpha", 1);
  if (failed(y) || alpha == 1)
    return op.result(y);
  if (!isFloat(a.element))
    return op.unsupported("a factor 'alpha' of integers", "fold the factor into an operand");
  return op.result(
      op.elementwise({*y}, a.element, [&](const Scalars &s, ValueRange v) { return s.mul(v[0], s.constant(alpha)); }));
}
} // namespace

void register_contrib_matmul(Registry &registry) {
  registry.onOp("FusedMatMul", {1},
                "A[K]|[S~,M,K]|{transA}[K]|{transA}[S~,K,M]|{transBatchA}[_*]|{transBatchB}[_*] "
                "B[K]|[S~,K,N]|{transB}[K]|{transB}[S~,N,K]|{transBatchA}[_*]|{transBatchB}[_*]",
                fusedMatMul, microsoftDomain);
  registry.onOp("FusedGemm", {1}, "A[M,K]|{transA}[K,M] B[K,N]|{transB}[N,K] C~[M,N]", fusedGemm, microsoftDomain);
  registry.onOp("FusedConv", {1},
                "X[N,C,D+] W[M,C/group,K+] B[M] Z[N,M,_+] #K=#D K>=1 group>=1 M%group=0 kernel_shape[#D] "
                "kernel_shape=K strides[#D] strides>=1 dilations[#D] dilations>=1 pads[2*#D] "
                "auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID",
                fusedConv, microsoftDomain);
  registry.onOp(
      "NhwcFusedConv", {1}, "X[N,_+,C] W[M,C/group,K+] B[M] Z[N,_+,M]",
      [](Op &op) { return lowerChannelsLast(op, {0, 3}, "FusedConv", 1, microsoftDomain); }, microsoftDomain);
  registry.onOp(
      "NhwcConv", {1}, "X[N,_+,C] W[M,K+,C/group] B[M]",
      [](Op &op) { return lowerChannelsLast(op, {0, 1}, "Conv", 22); }, microsoftDomain);
  registry.onOp(
      "MatMulIntegerToFloat", {1},
      "A[K]|[S~,M,K] B[K]|[S~,K,N] a_scale[]|[1] b_scale[]|[1|N] a_zero_point[]|[1] b_zero_point[]|[1|N] bias[N]",
      matMulIntegerToFloat, microsoftDomain);
  registry.onOp("DynamicQuantizeMatMul", {1},
                "A[K]|[S~,M,K] B[K]|[S~,K,N] b_scale[]|[1|N] b_zero_point[]|[1|N] bias[N]", dynamicQuantizeMatMul,
                microsoftDomain);
  registry.onOp("MatMulInteger16", {1}, "A[K]|[S~,M,K] B[K]|[S~,K,N]", matMulInteger16, microsoftDomain);
  registry.onOp("QGemm", {1},
                "A[M,K]|{transA}[K,M] a_scale[]|[1] a_zero_point[]|[1] B[K,N]|{transB}[N,K] b_scale[]|[1|N] "
                "b_zero_point[]|[1|N] C~[M,N] y_scale[]|[1] y_zero_point[]|[1]",
                qGemm, microsoftDomain);
  registry.onOp("MatMulNBits", {1},
                "A[_*,K] B[N,_,_] scales[_]|[N,_] zero_points[_]|[N,_] g_idx[G] K<=G bias[N] K>=1 N>=1 block_size>=1",
                matMulNBits, microsoftDomain);
  registry.onOp("SparseToDenseMatMul", {1}, "A[M,K]|{transA}[K,M] B[K,N]|{transB}[N,K]", sparseToDenseMatMul,
                microsoftDomain);
}

} // namespace sinter
