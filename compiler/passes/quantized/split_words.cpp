// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions of 16-bit integers become contractions of bytes where those have kernels: x = 256 high + low, so
//   sum (x - z) w = 256 sum (high - zh) w + sum (low - zl) w        with z = 256 zh + zl
// and likewise for w. Sums of products of bytes fit 32 bits, 16-bit operands need 64 for theirs, in lanes that no
// machine multiplies fast.
//
// Precondition: nothing runs on the accumulators yet (fuse-epilogues), and a convolution's filter is constant.
#include "passes/passes.h"

#include "builders/tensors.h"
#include "interpreter/interpreter.h"

using namespace mlir;

namespace sinter {
namespace {

/// An operand as bytes: one that it has, or the two of its words, the high one times 256.
struct BytesOfWord {
  Value bytes;
  bool isUnsigned;
  int64_t zero;
  int64_t shift;
};

unsigned bitsOf(Value x) {
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(x.getType()));
  return type ? type.getWidth() : 0;
}

SmallVector<BytesOfWord> bytesOfWords(const Tensors &t, Value x, bool isUnsigned, int64_t zero) {
  if (bitsOf(x) == 8)
    return {{x, isUnsigned, zero, 0}};
  auto byteOf = [&](int64_t shift, ElementType element) {
    Tensor words{x, isUnsigned ? ElementType::UInt16 : ElementType::Int16};
    return t
        .elementwiseRaw({words}, element,
                        [&](const Scalars &s, ValueRange v) -> Value {
                          Value by = s.b.create<arith::ConstantOp>(s.loc, s.b.getI16IntegerAttr(int16_t(shift)));
                          Value moved = shift ? s.b.create<arith::ShRUIOp>(s.loc, v[0], by) : v[0];
                          return s.b.create<arith::TruncIOp>(s.loc, s.b.getI8Type(), moved);
                        })
        .value;
  };
  return {{byteOf(0, ElementType::UInt8), true, zero & 255, 0},
          {byteOf(8, isUnsigned ? ElementType::UInt8 : ElementType::Int8), isUnsigned, zero >> 8, 8}};
}

// What the two kinds of contraction call their operands.
Value lhsOf(ConvOp op) { return op.getInput(); }
Value lhsOf(MatmulOp op) { return op.getLhs(); }
Value rhsOf(ConvOp op) { return op.getFilter(); }
Value rhsOf(MatmulOp op) { return op.getRhs(); }
int64_t lhsZeroOf(ConvOp op) { return op.getInputZero(); }
int64_t lhsZeroOf(MatmulOp op) { return op.getLhsZero(); }
int64_t rhsZeroOf(ConvOp op) { return op.getFilterZero(); }
int64_t rhsZeroOf(MatmulOp op) { return op.getRhsZero(); }
void setOperands(ConvOp op, const BytesOfWord &lhs, const BytesOfWord &rhs) {
  op.getInputMutable().assign(lhs.bytes);
  op.getFilterMutable().assign(rhs.bytes);
  op.setInputZero(lhs.zero);
  op.setFilterZero(rhs.zero);
}
void setOperands(MatmulOp op, const BytesOfWord &lhs, const BytesOfWord &rhs) {
  op.getLhsMutable().assign(lhs.bytes);
  op.getRhsMutable().assign(rhs.bytes);
  op.setLhsZero(lhs.zero);
  op.setRhsZero(rhs.zero);
}
/// Products for a sum; nothing where that is not known.
std::optional<int64_t> depthOf(ConvOp op) {
  auto filter = cast<ShapedType>(op.getFilter().getType());
  return filter.hasStaticShape() && filter.getDimSize(0) != 0
             ? std::optional(filter.getNumElements() / filter.getDimSize(0))
             : std::nullopt;
}
std::optional<int64_t> depthOf(MatmulOp op) {
  ArrayRef<int64_t> shape = cast<ShapedType>(op.getLhs().getType()).getShape();
  int64_t k = shape[shape.size() - (op.getTransposeLhs() ? 2 : 1)];
  return ShapedType::isDynamic(k) ? std::nullopt : std::optional(k);
}
bool hasKnownFilter(ConvOp op) {
  EvaluationCache cache;
  return op.getLayout() == "nchw" && !op.getRowPad() && isConstant(op.getFilter(), cache);
}
bool hasKnownFilter(MatmulOp) { return true; }

template <class Contraction>
struct SplitWords : OpRewritePattern<Contraction> {
  using OpRewritePattern<Contraction>::OpRewritePattern;

  LogicalResult matchAndRewrite(Contraction op, PatternRewriter &rewriter) const override {
    constexpr int64_t mostProducts = INT32_MAX / (255 * 255);
    unsigned left = bitsOf(lhsOf(op)), right = bitsOf(rhsOf(op));
    bool areNarrow = (left == 8 || left == 16) && (right == 8 || right == 16) && left + right > 16;
    std::optional<int64_t> depth = depthOf(op);
    Block &epilogue = op.getEpilogue().front();
    auto yield = cast<YieldOp>(epilogue.getTerminator());
    if (!areNarrow || !depth || *depth > mostProducts || op.getKernelAttr() || op->getNumResults() != 1 ||
        !op.getEpilogueInputs().empty() || yield->getOperand(0) != epilogue.getArgument(0) || !hasKnownFilter(op))
      return failure();
    Tensors t{rewriter, op.getLoc()};
    SmallVector<BytesOfWord> lhs = bytesOfWords(t, lhsOf(op), op.getSigns().front() == 'u', lhsZeroOf(op)),
                             rhs = bytesOfWords(t, rhsOf(op), op.getSigns().back() == 'u', rhsZeroOf(op));
    SmallVector<Tensor> products;
    SmallVector<int64_t> shifts;
    for (const BytesOfWord &a : lhs)
      for (const BytesOfWord &b : rhs) {
        products.push_back(productOf(op, a, b, t));
        shifts.push_back(a.shift + b.shift);
      }
    Type type = op.accumulatorType();
    Tensor sum = t.elementwiseRaw(products, type.isInteger(64) ? ElementType::Int64 : ElementType::Int32,
                                  [&](const Scalars &s, ValueRange v) {
                                    Value total;
                                    for (auto [product, shift] : llvm::zip(v, shifts)) {
                                      Value x = moved(s, product, type, shift);
                                      total = total ? s.b.create<arith::AddIOp>(s.loc, total, x) : x;
                                    }
                                    return total;
                                  });
    rewriter.replaceOp(op, sum.value);
    return success();
  }

private:
  static Value moved(const Scalars &s, Value product, Type type, int64_t shift) {
    Value x = type.isInteger(64) ? s.b.create<arith::ExtSIOp>(s.loc, type, product) : product;
    Value by = s.b.create<arith::ConstantOp>(s.loc, s.b.getIntegerAttr(type, shift));
    return shift ? s.b.create<arith::ShLIOp>(s.loc, x, by) : x;
  }
  /// The same contraction of two parts, in 32 bits.
  static Tensor productOf(Contraction op, const BytesOfWord &a, const BytesOfWord &b, const Tensors &t) {
    auto sums = t.empty(dimsOf(t.b, t.loc, op.getInits()[0]), ElementType::Int32);
    auto made = cast<Contraction>(t.b.clone(*op));
    setOperands(made, a, b);
    made.setSigns(std::string{a.isUnsigned ? 'u' : 's', b.isUnsigned ? 'u' : 's'});
    made.getInitsMutable().assign(sums.value);
    made->getResult(0).setType(sums.type());
    made.getEpilogue().front().getArgument(0).setType(t.b.getI32Type());
    return {made->getResult(0), ElementType::Int32};
  }
};

} // namespace

LogicalResult splitWords(ModuleOp module, const Target &target) {
  if (target.isGpu() || target.byteKernels != ByteKernels::Dot4 || target.dotProduct == DotProduct::Plain)
    return success();
  RewritePatternSet patterns(module.getContext());
  patterns.add<SplitWords<ConvOp>, SplitWords<MatmulOp>>(module.getContext());
  return applyPatternsAndFoldGreedily(module, std::move(patterns));
}

} // namespace sinter
