// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft on weights packed in blocks: GatherBlockQuantized (rows of embeddings) and MatMulBnb4 (4-bit codes of
// FP4 or NF4, the types of QLoRA, arXiv 2305.14314), MatMulFpQ4 (blocks with their scales in one blob). MatMulNBits:
// contrib_matmul.cpp.
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

/// Constant data as the matrix that it means, whose rows are looked up as they are stored
/// (passes/packing/look_up_packed.cpp). Null for others.
Tensor lookedUpMatrix(const Op &op, ArrayRef<Size> shown, int64_t block, int64_t bits) {
  Tensor data = op.input(0), scales = op.input(2), zeros = op.inputOrNone(3);
  bool isPacked = data.element == ElementType::UInt8 && bits < 8;
  std::optional<int64_t> rows = constantOf(shown[0]), columns = constantOf(shown[1]);
  if (!rows || !columns || !BlockQuantized{data, scales, zeros, bits, block}.isConstant() ||
      constantOf(op.size(scales, 0)) != rows || block * bits % 8)
    return {};
  if (!zeros && data.element == ElementType::UInt4)
    zeros = op.filled(op.sizes(scales), data.element, Scalars{op.b, op.loc, data.element}.constant(0));
  return constantBlocks(op, {data, scales, zeros, bits, block}, *rows, *columns, scales.element, false, isPacked);
}

LogicalResult lookedUp(Op &op, Tensor matrix) {
  auto rows = op.call("Gather", 13, {matrix, op.input(1)});
  return failed(rows) ? failure() : op.result(rows->front());
}

LogicalResult gatherBlockQuantized(Op &op) {
  Tensor data = op.input(0), indices = op.input(1), scales = op.input(2), zeros = op.inputOrNone(3);
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
  if (Tensor matrix =
          *gathered == 0 && *blocked == 1 && data.rank() == 2 ? lookedUpMatrix(op, shown, block, bits) : Tensor())
    return lookedUp(op, matrix);
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

/// A blob of blocks, for each column one behind the other: the scale (a float), with blk_quant_type 1 a zero point,
/// then for each 32 rows 16 bytes of which byte i has row i in its low and row 16 + i in its high half. In the order of
/// MatMulNBits that is its operands.
LogicalResult matMulFpQ4(Op &op) {
  Tensor blob = op.input(1);
  std::optional<SmallVector<int64_t>> shape = op.constantIntegers(2);
  if (!shape)
    return op.fail(Code::ShapeNotConstant, "'B_shape' is not known at compile time");
  if (shape->size() != 2 || (*shape)[0] < 1 || (*shape)[1] < 1)
    return op.fail(Code::ShapeMismatch, "'B_shape' is not the two sizes of a matrix");
  bool hasZeros = op.integer("blk_quant_type", 1) != 0;
  int64_t rows = (*shape)[0], columns = (*shape)[1];
  constexpr int64_t block = 32, half = block / 2;
  int64_t blocks = (rows + block - 1) / block, head = hasZeros ? 5 : 4, bytes = head + half;
  if (failed(mustBeEqual(op, op.size(blob, 0), sizeOf(op.b, columns * blocks * bytes),
                         "'B' does not hold the blocks of a matrix of 'B_shape'")))
    return failure();
  auto byte = [&](OpBuilder &b, Value column, Value number, Value place) -> Value {
    AffineExpr c = b.getAffineDimExpr(0), n = b.getAffineDimExpr(1), p = b.getAffineDimExpr(2);
    Value at = b.create<affine::AffineApplyOp>(op.loc, (c * blocks + n) * bytes + p, ValueRange{column, number, place});
    return b.create<tensor::ExtractOp>(op.loc, blob.value, at);
  };
  auto constant = [&](OpBuilder &b, int64_t n) -> Value { return b.create<arith::ConstantIndexOp>(op.loc, n); };
  auto joined = [&](OpBuilder &b, Value low, Value high) -> Value {
    Value four = b.create<arith::ConstantIntOp>(op.loc, 4, 8), nibble = b.create<arith::ConstantIntOp>(op.loc, 15, 8);
    return b.create<arith::OrIOp>(op.loc, b.create<arith::AndIOp>(op.loc, low, nibble),
                                  b.create<arith::ShLIOp>(op.loc, high, four));
  };
  Sizes grid = sizesOf(op.b, {columns, blocks}), packedSizes = sizesOf(op.b, {columns, blocks, half});
  // Byte i has rows 2 i and 2 i + 1: of the first half of the rows the low halves of two bytes, of the second the high.
  Tensor packed = op.generate(packedSizes, ElementType::UInt8, [&](OpBuilder &b, ValueRange i) -> Value {
    AffineExpr d = b.getAffineDimExpr(0);
    Value first = b.create<affine::AffineApplyOp>(op.loc, head + (d * 2) % half, i[2]);
    Value second = b.create<affine::AffineApplyOp>(op.loc, head + (d * 2) % half + 1, i[2]);
    Value low = byte(b, i[0], i[1], first), high = byte(b, i[0], i[1], second);
    Value isHigh = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sge, i[2], constant(b, half / 2));
    Value shift = b.create<arith::SelectOp>(op.loc, isHigh, b.create<arith::ConstantIntOp>(op.loc, 4, 8),
                                            b.create<arith::ConstantIntOp>(op.loc, 0, 8));
    return joined(b, b.create<arith::ShRUIOp>(op.loc, low, shift), b.create<arith::ShRUIOp>(op.loc, high, shift));
  });
  Tensor scales = op.generate(grid, ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
    Value bits;
    for (int64_t k = 0; k < 4; ++k) {
      Value wide = b.create<arith::ExtUIOp>(op.loc, b.getI32Type(), byte(b, i[0], i[1], constant(b, k)));
      Value moved = b.create<arith::ShLIOp>(op.loc, wide, b.create<arith::ConstantIntOp>(op.loc, 8 * k, 32));
      bits = bits ? b.create<arith::OrIOp>(op.loc, bits, moved).getResult() : moved;
    }
    return b.create<arith::BitcastOp>(op.loc, b.getF32Type(), bits);
  });
  SmallVector<Tensor> operands{op.input(0), packed, scales};
  if (hasZeros)
    operands.push_back(op.generate(sizesOf(op.b, {columns, (blocks + 1) / 2}), ElementType::UInt8,
                                   [&](OpBuilder &b, ValueRange i) -> Value {
                                     AffineExpr d = b.getAffineDimExpr(0);
                                     Value first = b.create<affine::AffineApplyOp>(op.loc, d * 2, i[1]);
                                     Value next = b.create<affine::AffineApplyOp>(op.loc, d * 2 + 1, i[1]);
                                     Value last = b.create<arith::MinSIOp>(op.loc, next, constant(b, blocks - 1));
                                     Value place = constant(b, 4);
                                     return joined(b, byte(b, i[0], first, place), byte(b, i[0], last, place));
                                   }));
  NamedAttribute attributes[] = {op.param("K", rows), op.param("N", columns), op.param("bits", int64_t(4)),
                                 op.param("block_size", block)};
  auto y = op.call("MatMulNBits", 1, operands, attributes, 1, "com.microsoft");
  return failed(y) ? failure() : op.result(y->front());
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
  registry.onOp("MatMulFpQ4", {1}, "A[_*,K] K=at(value(B_shape),0) B[_] B_shape[2] blk_quant_type=0|1", matMulFpQ4,
                "com.microsoft");
}

} // namespace sinter
