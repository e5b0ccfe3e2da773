// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft's operators on words: WordConvEmbedding, the maxima of a convolution over a word's characters, and
// MurmurHash3 (x86, 32 bits) of numbers and strings. Source: onnxruntime's CPU kernels; the row of a word without
// characters, which is undefined there, is 0.
#include "ops/domains.h"
#include "ops/math.h"

using namespace mlir;

namespace sinter {
namespace {
/// [words]: how many characters are read, at least as many as the filter has rows; 0 where the first is none.
Tensor wordLengthsOf(Op &op, Tensor words, int64_t filterRows) {
  Tensor counts = op.reduce(
      words, 1, false, ElementType::Int32, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value sum, Value v) {
        Value zero = s.constant(0);
        return s.add(sum, s.select(s.compare(Compare::Greater, v, zero), s.constant(1), zero));
      });
  Sizes sizes{op.size(words, 0)};
  return op.generate(sizes, ElementType::Int32, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ElementType::Int32};
    Value start = b.create<arith::ConstantIndexOp>(op.loc, 0);
    Value first = b.create<tensor::ExtractOp>(op.loc, words.value, ValueRange{i[0], start});
    Value count = s.max(b.create<tensor::ExtractOp>(op.loc, counts.value, i), s.integer(filterRows));
    return s.select(s.compare(Compare::Greater, first, s.constant(0)), count, s.constant(0));
  });
}

LogicalResult wordConvEmbedding(Op &op) {
  Tensor words = op.input(0), filter = op.input(1), bias = op.input(2), table = op.input(3);
  std::optional<int64_t> rows = constantOf(op.size(filter, 2));
  if (!rows)
    return op.fail(Code::ShapeNotConstant, "the number of rows of 'W' is not known");
  Tensor lengths = wordLengthsOf(op, words, *rows);
  auto isWithin = [&](OpBuilder &b, Value word, Value place, int64_t reach) -> Value {
    Value length = b.create<arith::IndexCastOp>(op.loc, b.getIndexType(),
                                                b.create<tensor::ExtractOp>(op.loc, lengths.value, word));
    Value end = b.create<arith::AddIOp>(op.loc, place, b.create<arith::ConstantIndexOp>(op.loc, reach));
    return b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, end, length);
  };
  Size characters = op.size(table, 0);
  Sizes sizes{op.size(words, 0), sizeOf(op.b, 1), op.size(words, 1), op.size(table, 1)};
  Tensor map = op.generate(sizes, table.element, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, table.element}, ids{b, op.loc, words.element};
    Value within = isWithin(b, i[0], i[2], 0);
    Value id =
        ids.select(within, b.create<tensor::ExtractOp>(op.loc, words.value, ValueRange{i[0], i[2]}), ids.constant(0));
    Value row = b.create<CheckIndexOp>(op.loc, b.getIndexType(), id, toValue(b, op.loc, characters), false);
    return s.select(within, b.create<tensor::ExtractOp>(op.loc, table.value, ValueRange{row, i[3]}), s.constant(0));
  });
  auto sums = op.call("Conv", 11, {map, filter, bias});
  if (failed(sums))
    return failure();
  Tensor sum = op.squeeze((*sums)[0], {3}); // [words, filters, places]
  Tensor waves = op.generate(op.sizes(sum), sum.element, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, sum.element};
    Value y = tanh(s, b.create<tensor::ExtractOp>(op.loc, sum.value, i));
    return s.select(isWithin(b, i[0], i[2], *rows - 1), y, s.constant(-1e12));
  });
  Tensor most = op.reduce(
      waves, 2, false, sum.element, [](const Scalars &s) { return s.constant(-1e12); },
      [](const Scalars &s, Value acc, Value v) { return s.max(acc, v); });
  Tensor isWord = op.unsqueeze(lengths, {1});
  return op.resultElementwise({most, op.cast(isWord, sum.element)}, sum.element, [](const Scalars &s, ValueRange v) {
    Value zero = s.constant(0);
    return s.select(s.compare(Compare::Greater, v[1], zero), v[0], zero);
  });
}

/// Of one or two words of 32 bits, the low one first.
Value murmur(OpBuilder &b, Location loc, ArrayRef<Value> words, int64_t seed) {
  auto number = [&](uint32_t n) -> Value { return b.create<arith::ConstantIntOp>(loc, int64_t(int32_t(n)), 32); };
  auto times = [&](Value x, uint32_t n) -> Value { return b.create<arith::MulIOp>(loc, x, number(n)); };
  auto either = [&](Value x, Value y) -> Value { return b.create<arith::XOrIOp>(loc, x, y); };
  auto down = [&](Value x, uint32_t n) -> Value { return b.create<arith::ShRUIOp>(loc, x, number(n)); };
  auto rotated = [&](Value x, uint32_t n) -> Value {
    return b.create<arith::OrIOp>(loc, b.create<arith::ShLIOp>(loc, x, number(n)), down(x, 32 - n));
  };
  Value hash = number(uint32_t(seed));
  for (Value word : words) {
    Value mixed = times(rotated(times(word, 0xcc9e2d51), 15), 0x1b873593);
    hash = times(rotated(either(hash, mixed), 13), 5);
    hash = b.create<arith::AddIOp>(loc, hash, number(0xe6546b64));
  }
  hash = either(hash, number(uint32_t(4 * words.size())));
  hash = times(either(hash, down(hash, 16)), 0x85ebca6b);
  hash = times(either(hash, down(hash, 13)), 0xc2b2ae35);
  return either(hash, down(hash, 16));
}

LogicalResult murmurHash3(Op &op) {
  Tensor x = op.input(0);
  ElementType out = op.integer("positive", 1) ? ElementType::UInt32 : ElementType::Int32;
  if (x.element == ElementType::String) {
    Size all = product(op.b, op.loc, op.sizes(x));
    SmallVector<Tensor> hashes =
        op.kernel("hash_text", {op.reshape(x, {all})}, {{{all}, out}}, op.param("seed", op.integer("seed")));
    return op.result(op.reshape(hashes[0], op.sizes(x)));
  }
  unsigned width = x.type().getElementTypeBitWidth();
  return op.resultElementwiseRaw({x}, out, [&](const Scalars &s, ValueRange v) -> Value {
    Value bits = v[0];
    if (isa<FloatType>(bits.getType()))
      bits = s.b.create<arith::BitcastOp>(s.loc, s.b.getIntegerType(width), bits);
    if (width == 32)
      return murmur(s.b, s.loc, bits, op.integer("seed"));
    Value high = s.b.create<arith::ShRUIOp>(s.loc, bits, s.b.create<arith::ConstantIntOp>(s.loc, 32, 64));
    Value words[] = {s.b.create<arith::TruncIOp>(s.loc, s.b.getI32Type(), bits),
                     s.b.create<arith::TruncIOp>(s.loc, s.b.getI32Type(), high)};
    return murmur(s.b, s.loc, words, op.integer("seed"));
  });
}
} // namespace

void register_contrib_words(Registry &registry) {
  registry.onOp("WordConvEmbedding", {1},
                "Sequence[_,L] W[M,1,K,E] B[M] C[_,E] 1<=K<=L {has(embedding_size)}embedding_size=M "
                "{has(conv_window_size)}conv_window_size=K {has(char_embedding_size)}char_embedding_size=E",
                wordConvEmbedding, microsoftDomain);
  registry.onOp("MurmurHash3", {1}, "X[_*] positive=0|1", murmurHash3, microsoftDomain);
}

} // namespace sinter
