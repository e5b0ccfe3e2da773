// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft on weights packed in blocks: GatherBlockQuantized (rows of embeddings) and MatMulBnb4 (4-bit codes of
// FP4 or NF4, the types of QLoRA, arXiv 2305.14314). MatMulNBits: contrib_matmul.cpp.
#include "ops/block_quantized.h"
#include "ops/contraction.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

/// Where an index of data lies in a dim of `size`; out of range ends the call with a status.
Value checked(OpBuilder &b, Location loc, Tensor indices, ValueRange place, Size size) {
  Value index = b.create<tensor::ExtractOp>(loc, indices.value, place);
  return b.create<CheckIndexOp>(loc, b.getIndexType(), index, toValue(b, loc, size), true);
}

/// Scales and zero points have the dims of data, but for one of 1 and for that of blocks.
LogicalResult checkParameters(const Op &op, Size blocks, int64_t blocked, int64_t zerosPerByte) {
  Tensor data = op.input(0), scales = op.input(2);
  for (int64_t d = 0; d < data.rank(); ++d) {
    Size own = op.size(scales, d);
    if (d != blocked && constantOf(own) == 1)
      continue;
    if (failed(mustBeEqual(op, own, d == blocked ? blocks : op.size(data, d),
                           "'scales' has not a number for each block of 'data'")))
      return failure();
  }
  if (!op.has(3))
    return success();
  if (op.input(3).rank() != data.rank())
    return op.fail(Code::ShapeMismatch, "'zero_points' has not the rank of 'scales'");
  for (int64_t d = 0; d < data.rank(); ++d) {
    Size own = op.size(scales, d);
    if (failed(mustBeEqual(op, op.size(op.input(3), d), d == blocked ? ceilDiv(op.b, op.loc, own, zerosPerByte) : own,
                           "'zero_points' has not a number for each of 'scales'")))
      return failure();
  }
  return success();
}

LogicalResult gatherBlockQuantized(Op &op) {
  Tensor data = op.input(0), indices = op.input(1), scales = op.input(2), zeros = op.has(3) ? op.input(3) : Tensor();
  bool isPacked = data.element == ElementType::UInt8;
  FailureOr<int64_t> gathered = op.axis(op.integer("gather_axis"), data.rank());
  FailureOr<int64_t> blocked = op.axis(op.integer("quantize_axis"), data.rank());
  if (failed(gathered) || failed(blocked))
    return failure();
  int64_t bits = op.integer("bits"), block = op.integer("block_size"), last = data.rank() - 1;
  if (isPacked && (*gathered != 0 || *blocked != last))
    return op.unsupported(
        "bytes of packed numbers that are not gathered along the first and quantized along the last dim");
  Size length = op.size(data, *blocked);
  if (block == 0) { // a row is one block
    std::optional<int64_t> all = constantOf(length);
    if (!all)
      return op.fail(Code::ShapeNotConstant, "the dim along which 'data' is quantized is not known at compile time");
    block = std::max<int64_t>(*all, 1);
  }
  Sizes sizes = op.sizes(data), of = op.sizes(indices), shown = sizes;
  if (isPacked)
    shown[last] = mul(op.b, op.loc, sizes[last], sizeOf(op.b, 8 / bits));
  Size blocks = ceilDiv(op.b, op.loc, isPacked ? shown[last] : length, block);
  if (failed(checkParameters(op, blocks, *blocked, isPacked ? 8 / bits : 1)))
    return failure();
  Size rows = sizes[*gathered];
  shown.erase(shown.begin() + *gathered);
  shown.insert(shown.begin() + *gathered, of.begin(), of.end());
  return op.result(op.generate(shown, scales.element, [&](OpBuilder &b, ValueRange at) -> Value {
    size_t count = of.size(), first = static_cast<size_t>(*gathered);
    Value row = checked(b, op.loc, indices, at.slice(first, count), rows);
    SmallVector<Value> place(at.take_front(first));
    place.push_back(row);
    llvm::append_range(place, at.drop_front(first + count));
    if (isPacked) {
      BlockQuantized weights{data, scales, zeros, bits, block};
      return narrow(b, op.loc, scales.element, weights.element(b, op.loc, ArrayRef(place).drop_back(), place.back()));
    }
    auto real = [&](Tensor x, ValueRange where) {
      Value stored = widen(b, op.loc, x.element, b.create<tensor::ExtractOp>(op.loc, x.value, where));
      return Scalars{b, op.loc, x.element}.castTo(ElementType::Float, stored);
    };
    SmallVector<Value> own = place;
    own[static_cast<size_t>(*blocked)] = quotient(b, op.loc, place[static_cast<size_t>(*blocked)], block);
    for (auto [d, size] : llvm::enumerate(op.sizes(scales))) // a dim of 1 is one scale for all
      if (constantOf(size) == 1)
        own[d] = b.create<arith::ConstantIndexOp>(op.loc, 0);
    Scalars f{b, op.loc, ElementType::Float};
    Value number = real(data, place);
    if (zeros)
      number = f.sub(number, real(zeros, own));
    return narrow(b, op.loc, scales.element, f.mul(number, real(scales, own)));
  }));
}

/// What the 16 codes stand for, as a share of the block's greatest: sign, exponent and one bit of fraction; or the
/// quantiles of a normal distribution.
constexpr float fp4[] = {0,  5.208333333e-03F,  2.0F / 3,  1,  1.0F / 3,  0.5F,  1.0F / 6,  0.25F,
                         -0, -5.208333333e-03F, -2.0F / 3, -1, -1.0F / 3, -0.5F, -1.0F / 6, -0.25F};
constexpr float nf4[] = {-1,
                         -0.6961928009986877F,
                         -0.5250730514526367F,
                         -0.39491748809814453F,
                         -0.28444138169288635F,
                         -0.18477343022823334F,
                         -0.09105003625154495F,
                         0,
                         0.07958029955625534F,
                         0.16093020141124725F,
                         0.24611230194568634F,
                         0.33791524171829224F,
                         0.44070982933044434F,
                         0.5626170039176941F,
                         0.7229568362236023F,
                         1};

LogicalResult matMulBnb4(Op &op) {
  Tensor a = op.input(0), packed = op.input(1), greatest = op.input(2);
  int64_t k = op.integer("K"), n = op.integer("N"), block = op.integer("block_size");
  ArrayRef<float> codes = op.integer("quant_type") ? ArrayRef(nf4) : ArrayRef(fp4);
  packed = op.reshape(packed, op.size(packed, 0));
  Tensor weights = op.generate(sizesOf(op.b, {n, k}), a.element, [&](OpBuilder &b, ValueRange at) {
    Scalars f{b, op.loc, ElementType::Float}, byte{b, op.loc, ElementType::UInt8};
    auto number = [&](int64_t value) -> Value { return b.create<arith::ConstantIndexOp>(op.loc, value); };
    Value place = b.create<arith::AddIOp>(op.loc, b.create<arith::MulIOp>(op.loc, at[0], number(k)), at[1]);
    // The high half of a byte comes first.
    Value swapped = b.create<arith::XOrIOp>(op.loc, place, number(1));
    Value code = unpackedBits(b, op.loc, packed, {}, swapped, 4), value = f.constant(codes[0]);
    for (auto [i, meaning] : llvm::enumerate(codes.drop_front()))
      value = f.select(byte.compare(Compare::Equal, code, byte.integer(static_cast<int64_t>(i) + 1)),
                       f.constant(meaning), value);
    Value most = widen(b, op.loc, greatest.element,
                       b.create<tensor::ExtractOp>(op.loc, greatest.value, quotient(b, op.loc, place, block)));
    return narrow(b, op.loc, a.element, f.mul(value, most));
  });
  FailureOr<Tensor> y = matmul(op, a.rank() == 1 ? op.unsqueeze(a, 0) : a, weights, false, op.integer("transB") != 0);
  if (failed(y))
    return failure();
  return op.result(a.rank() == 1 ? op.squeeze(*y, 0) : *y);
}
} // namespace

void register_contrib_block_quantized(Registry &registry) {
  registry.onOp(
      "GatherBlockQuantized", {1},
      "data[_+] indices[_*] bits=2|4|8 block_size>=0 gather_axis@data quantize_axis@data rank(scales)=rank(data) "
      "gather_axis!=quantize_axis scales[_+] zero_points[_+]",
      gatherBlockQuantized, "com.microsoft");
  registry.onOp("MatMulBnb4", {1},
                "A[_*,K]|{transB=0}[_*,N] B[_]|[_,1] K>=1 N>=1 block_size>=1 absmax[ceil(N*K,block_size)] "
                "quant_type=0|1 transB=0|1 dim(B,0)=ceil(N*K,2)",
                matMulBnb4, "com.microsoft");
}

} // namespace sinter
