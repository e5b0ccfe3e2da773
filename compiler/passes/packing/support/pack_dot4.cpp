// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant operands of contractions of bytes, four products to an int32 lane (templates/dot4/int_dot.h):
//   matmul    [k, n]         -> [ceil(n / NR), ceil(k / 4), NR * 4]                        kernel "int_gemm"
//   conv      [k, c, taps]   -> [groups * ceil(k / g / NR), runs, fours of a run, NR, 4]   kernel "int_conv"
//             (few channels: of several groups as one)
//   depthwise [k, 1, taps]   -> blocks of channels, each [rows, fours of a row, channel, 4]  kernel "int_depthwise"
// Eight together, `eights`, but for depthwise, where the target multiplies small matrices
// (templates/dot4/matrix_tile.h). The pads of a convolution become a padded map that its producer writes into, so that
// kernels meet no border. The zero point of the activations goes into the bias, times the sum of the weights. Without
// an instruction for four products x86 adds them in pairs, for which weights are made small
// (templates/dot4/weight_pairs.h). Where there are tile registers (templates/dot4/tile_registers.h) and they are
// faster, `tiles`, which takes bytes of either kind; a run that is no whole fours has zeros behind it there.
//
// Precondition: weights are known; feature maps are channels-last, in one block. Weights that less their zero point are
// no bytes lack a number that all have in common, times the sum of the activations.
#include "pack_dot4.h"

#include "byte_contractions.h"
#include "kernels/dot4/support/byte_kind.h"
#include "kernels/dot4/support/tile_cost.h"
#include "passes/support/contractions.h"
#include "small_pairs.h"
#include "templates/dot4/tile_steps.h"
#include "templates/dot4/weight_pairs.h"
#include "volumes_as_planes.h"

using namespace mlir;

namespace sinter {
namespace {

/// What the pass knows of the target.
struct Dot4Target {
  const Target &target;
  int64_t lanes = target.lanes();                                   // int32 in a register
  int64_t together = target.dotProduct == DotProduct::I8mm ? 8 : 4; // bytes of k, for each column of a panel

  /// Whether the instruction wants the other kind of bytes: they are flipped, which moves the zero point.
  bool flips(bool isUnsigned, const PanelChoice &choice) const {
    if (choice.inTiles || (addsPairs() && !choice.extras))
      return false;
    return wantsUnsigned(target).value_or(isUnsigned) != isUnsigned;
  }
  /// What a kernel's parameters say of that.
  SmallVector<NamedAttribute> stepParams(Builder b) const {
    if (together == 4)
      return {};
    return {b.getNamedAttr("eights", b.getUnitAttr())};
  }
  /// Of a tile of so many rows and vectors of columns, whose sums are of `count` runs of `length` bytes: for each four
  /// of them what takes the longest, where products take A from memory. Where they take lanes, what counts is all
  /// instructions: two vectors of B are a load, a row of A is an address and a load, or a load for all lanes; results
  /// of four vectors are made bytes together.
  double workOfTile(double rows, double vectors, int64_t count, int64_t length) const {
    constexpr double inFlight = 8, perResult = 10, perResultAlone = 12.5;
    double results = rows * vectors, store = vectors == 4 ? perResult : perResultAlone;
    if (target.dotProduct != DotProduct::Dotprod && together == 4)
      return std::max({results, rows + vectors, inFlight});
    int64_t steps = llvm::divideCeil(length, together), inVectors = length / 16 * (16 / together);
    double products = results, weights = vectors / 2, row = 1.0 / 4;
    if (together == 8) { // two rows by two columns; results are put in rows, and each two vectors of A by turns
      products = 2 * std::ceil(rows / 2) * vectors;
      weights = vectors;
      row = 1;
      store += 1;
    }
    double loads = double(steps) * weights + rows * (double(steps - inVectors) * 2 + double(inVectors) * row);
    double sums = double(count) * std::max(double(steps) * products + loads, double(steps) * inFlight);
    return sums + results * store;
  }
  bool addsPairs() const { return target.dotProduct == DotProduct::Pairs; }
  /// How many groups of so many channels and filters are computed as one, so that vectors are full: the number with the
  /// fewest products, zeros of the other groups among them; of those the largest, whose results are whole vectors.
  int64_t groupsTogether(int64_t groups, int64_t channels, int64_t filters) const {
    int64_t best = 1;
    double least = 0;
    for (int64_t m = 1; m <= groups && (m == 1 || m * filters <= lanes); ++m) {
      if (groups % m)
        continue;
      double work = double(llvm::divideCeil(channels * m, together) * llvm::divideCeil(filters * m, lanes)) / double(m);
      if (m == 1 || work <= least) {
        best = m;
        least = work;
      }
    }
    return best;
  }
  /// Two tiles of columns, or one.
  PanelChoice panelsOfTiles(int64_t n) const {
    PanelChoice choice;
    choice.columns = n > kTileColumns ? 2 * kTileColumns : kTileColumns;
    choice.inTiles = true;
    return choice;
  }
  /// The panels for n columns and tiles along `width` outputs: those with the least work. `pairs`: of their weights,
  /// where the target adds pairs.
  PanelChoice panels(int64_t n, int64_t width, int64_t count, int64_t length, const LargePairs *pairs) const {
    constexpr double perFourOfWords = 1.8; // to a four of pairs: 6 instructions of vectors, and 3 (AVX2, measured)
    PanelChoice best;
    std::pair<double, int64_t> least; // work, then columns with those that fill up the last panel
    for (int64_t vectors : {4, 3, 2, 1}) {
      int64_t panels = llvm::divideCeil(n, vectors * lanes), rows = rowsOfByteTile(target, vectors * lanes, together),
              tiles = llvm::divideCeil(std::max<int64_t>(width, 1), rows), high = llvm::divideCeil(width, tiles);
      std::pair<double, int64_t> cost = {
          double(panels * tiles) * workOfTile(double(high), double(vectors), count, length), panels * vectors};
      std::optional<int64_t> extras;
      if (pairs) {
        int64_t most = pairs->mostOfPanel(vectors * lanes), fours = count * llvm::divideCeil(length, 4);
        double perFour = 1 + double(most) / double(fours);
        if (perFour < perFourOfWords)
          extras = most;
        cost.first *= std::min(perFour, perFourOfWords);
      }
      if (!best.columns || cost < least) {
        best = {vectors * lanes, extras};
        least = cost;
      }
    }
    return best;
  }
};

struct Dot4Packer : BytePacker {
  /// The last dim in fours or eights: a rest stands in the one that ends with the dim. Of five to seven bytes the last
  /// four do, in the second four of an eight.
  Tensor inSteps(Tensor x, int64_t step) {
    int64_t length = x.shape().back(), rest = length % step, last = x.rank() - 1;
    int64_t first = length > step ? length - rest : 4;
    if (rest && length > first)
      x = tensors().concat({part(x, 0, first), padded(part(x, first, length - first), last, step - rest, 0)}, last);
    else if (rest)
      x = padded(x, last, 0, step - rest);
    SmallVector<int64_t> shape(x.shape());
    shape.back() /= step;
    shape.push_back(step);
    return reshaped(x, shape);
  }
  /// [groups, n, runs, length] -> [groups * panels, runs, steps, columns, bytes of a step].
  Tensor inPanels(Tensor x, int64_t columns, int64_t step) {
    int64_t n = x.shape()[1], panels = llvm::divideCeil(n, columns);
    x = inSteps(padded(x, 1, 0, panels * columns - n), step);
    int64_t groups = x.shape()[0], runs = x.shape()[2], steps = x.shape()[3];
    x = tensors().transpose(reshaped(x, {groups, panels, columns, runs, steps, step}), {0, 1, 3, 4, 2, 5});
    return reshaped(x, {groups * panels, runs, steps, columns, step});
  }
  /// [groups, n, c, taps...] -> [groups / m, m n, m c, taps...]: of m groups together each filter has zeros for the
  /// channels of the others.
  Tensor inOneGroup(Tensor x, int64_t m) {
    SmallVector<int64_t> shape(x.shape()), perm{0};
    int64_t channels = shape[2];
    shape[0] /= m;
    SmallVector<int64_t> split(shape);
    split.insert(split.begin() + 1, m);
    for (int64_t d = 2; d <= x.rank(); ++d)
      perm.push_back(d);
    perm.push_back(1);
    Tensor last = tensors().transpose(reshaped(x, split), perm);
    SmallVector<Tensor> parts;
    for (int64_t i = 0; i < m; ++i)
      parts.push_back(padded(reshaped(part(last, i, 1), shape), 2, i * channels, (m - 1 - i) * channels));
    return tensors().concat(parts, 1);
  }
  /// [panels, runs, fours, columns, 4] -> [panels, 1, fours and what is behind them, columns, 4].
  Tensor inPairs(Tensor x, int64_t extras, const RunsOfWindow &runs) {
    ArrayRef<int64_t> shape = x.shape();
    int64_t panels = shape[0], fours = shape[1] * shape[2], columns = shape[3];
    Tensor made =
        tensors().empty(sizesOf(b, {panels, fours + foursBehind(extras, columns), columns, 4}), ElementType::Int8);
    auto number = [&](StringRef name, int64_t value) { return b.getNamedAttr(name, b.getI64IntegerAttr(value)); };
    auto params =
        b.getDictionaryAttr({number("extras", extras), number("columns", runs.columns), number("length", runs.length)});
    auto op = b.create<KernelOp>(loc, made.type(), "pack_pairs", reshaped(x, {panels, fours, columns, 4}).value,
                                 made.value, params, "ss");
    return reshaped(bytes(op.getResult(0)), {panels, 1, made.shape()[1], columns, 4});
  }
  /// [rows, taps of a row, channels] -> the blocks of depthwiseBlock in templates/dot4/int_depthwise.h, behind each
  /// other.
  Tensor woven(Tensor x, int64_t widest) {
    int64_t rows = x.shape()[0], channels = x.shape()[2];
    SmallVector<Tensor> blocks;
    for (int64_t c = 0, block; c < channels; c += block) {
      block = channels - c;
      for (int64_t size = widest; size >= 16; size /= 2)
        if (channels - c >= size) {
          block = size;
          break;
        }
      Tensor some = tensors().transpose(part(x, c, block), {0, 2, 1}); // [rows, block, taps]
      int64_t taps = some.shape()[2], fours = llvm::divideCeil(taps, 4);
      int64_t lanes = std::max<int64_t>(block, 16);
      some = padded(padded(some, 2, 0, fours * 4 - taps), 1, 0, lanes - block);
      some = tensors().transpose(reshaped(some, {rows, lanes, fours, 4}), {0, 2, 1, 3});
      blocks.push_back(reshaped(some, {rows * fours * lanes * 4}));
    }
    return blocks.size() == 1 ? blocks[0] : tensors().concat(blocks, 0);
  }
};

/// What both kinds of contraction get: no zero points any more, and how bytes are taken.
template <class Contraction>
void finishDot4(Contraction op, StringRef kernel, SmallVector<NamedAttribute> params, const Dot4Target &target,
                bool isUnsigned, const PanelChoice &choice) {
  Builder b(op.getContext());
  op.setSigns(isUnsigned ? "us" : "ss");
  if (target.flips(isUnsigned, choice))
    params.push_back(b.getNamedAttr("flipped", b.getUnitAttr()));
  if (choice.extras)
    params.push_back(b.getNamedAttr("extras", b.getI64IntegerAttr(*choice.extras)));
  if (choice.inTiles)
    params.push_back(b.getNamedAttr("tiles", b.getUnitAttr()));
  op.setKernelAttr(KernelAttr::get(op.getContext(), kernel, b.getDictionaryAttr(params)));
}
/// The zero point of the bytes as the instruction sees them.
int64_t seenZero(const Dot4Target &target, bool isUnsigned, const PanelChoice &choice, int64_t zero) {
  return target.flips(isUnsigned, choice) ? (isUnsigned ? zero - 128 : zero + 128) : zero;
}

void packDot4Matmul(MatmulOp matmul, const Dot4Target &target, EvaluationCache &cache) {
  if (!isByteContraction(matmul))
    return;
  OpBuilder b(matmul);
  Dot4Packer packer{{b, matmul.getLoc(), cache}};
  int64_t lacks = matmul.getRhsZero();
  std::optional<Tensor> weights = packer.nearWeights(matmul.getRhs(), matmul.isRhsUnsigned(), lacks);
  if (!weights)
    return;
  if (lacks) {
    Tensor bytes{matmul.getLhs(), matmul.isLhsUnsigned() ? ElementType::UInt8 : ElementType::Int8};
    int64_t rank = cast<ShapedType>(matmul.getInits()[0].getType()).getRank();
    addSums(matmul, bytes, bytes.rank() - 1, matmul.getLhsZero(), lacks, rank - 2, packer);
  }
  bool isUnsigned = matmul.isLhsUnsigned();
  Tensor nk = matmul.getTransposeRhs() ? *weights : packer.tensors().transpose(*weights, {1, 0});
  int64_t n = nk.shape()[0], k = nk.shape()[1];
  ArrayRef<int64_t> lhs = cast<ShapedType>(matmul.getLhs().getType()).getShape();
  int64_t rows = lhs[lhs.size() - 2], likelyRows = ShapedType::isDynamic(rows) ? 32 : rows;
  Tensor split = packer.reshaped(nk, {1, n, 1, k});
  RunsOfWindow runs{1, 1, k};
  PanelChoice choice;
  if (isForTiles(target.target, {1, 1, likelyRows, n, 1, k})) {
    choice = target.panelsOfTiles(n);
  } else {
    std::optional<LargePairs> pairs = target.addsPairs() ? largePairsOf(split, runs, cache) : std::nullopt;
    choice = target.panels(n, likelyRows, 1, k, pairs ? &*pairs : nullptr);
  }
  Tensor panels = packer.inPanels(split, choice.columns, target.together);
  if (choice.extras)
    panels = packer.inPairs(panels, *choice.extras, runs);
  int64_t zero = seenZero(target, isUnsigned, choice, matmul.getLhsZero());
  ArrayRef<int64_t> shape = panels.shape();
  Tensor flat = packer.reshaped(panels, {shape[0], shape[2], shape[3] * shape[4]});
  if (zero)
    takeZeroOff(matmul, nk, zero, packer);
  matmul.getRhsMutable().assign(flat.value);
  matmul.setTransposeRhs(false);
  matmul.setLhsZero(0);
  matmul.setRhsZero(0);
  finishDot4(matmul, "int_gemm", target.stepParams(b), target, isUnsigned, choice);
}

/// How far windows reach along a dim, from the first pad on.
int64_t reachOfWindows(ConvOp conv, const ConvSizes &sizes, int64_t d) {
  return (sizes.out[d] - 1) * conv.getStrides()[d] + (sizes.taps[d] - 1) * conv.getDilations()[d] + 1;
}
bool readsOutside(ConvOp conv, const ConvSizes &sizes) {
  return llvm::any_of(llvm::seq<int64_t>(0, sizes.spatial), [&](int64_t d) {
    return std::max(conv.getPads()[d] + sizes.in[d], reachOfWindows(conv, sizes, d)) != sizes.in[d];
  });
}

/// The input inside of a map filled with its zero point, where the convolution reads outside of it. `behind`: so many
/// columns more than it reads.
bool padInput(ConvOp conv, const ConvSizes &sizes, int64_t behind, OpBuilder &b) {
  if (!readsOutside(conv, sizes))
    return false;
  Value input = conv.getInput();
  Sizes full = dimsOf(b, conv.getLoc(), input), offsets(full.size(), b.getIndexAttr(0)), part = full,
        strides(full.size(), b.getIndexAttr(1));
  for (int64_t d = 0; d < sizes.spatial; ++d) {
    int64_t low = conv.getPads()[d], reach = reachOfWindows(conv, sizes, d) + (d + 1 == sizes.spatial ? behind : 0);
    int64_t wanted = std::max(low + sizes.in[d], reach);
    full[2 + d] = b.getIndexAttr(wanted);
    offsets[2 + d] = b.getIndexAttr(low);
  }
  Location loc = conv.getLoc();
  Value zero = b.create<arith::ConstantOp>(
      loc, b.getIntegerAttr(b.getI8Type(), static_cast<int8_t>(static_cast<int64_t>(conv.getInputZero()))));
  Value empty = b.create<tensor::EmptyOp>(loc, full, b.getI8Type());
  Value filled = b.create<linalg::FillOp>(loc, zero, empty).getResult(0);
  conv.getInputMutable().assign(
      b.create<tensor::InsertSliceOp>(loc, input, filled, offsets, part, strides).getResult());
  conv.setPads(SmallVector<int64_t>(sizes.spatial, 0));
  return true;
}

/// The product that tile registers would compute of a convolution, whose rows of taps are runs where `isMerged`.
TileProduct tileProductOf(ConvOp conv, const ConvSizes &sizes, int64_t groups, bool isMerged) {
  int64_t width = sizes.taps.back(), height = sizes.spatial == 2 ? sizes.taps[0] : 1;
  bool isFlat = height * width == 1 && llvm::all_of(conv.getStrides(), [](int64_t stride) { return stride == 1; });
  int64_t outputs = sizes.out.back() * (isFlat && sizes.spatial == 2 ? sizes.out[0] : 1);
  int64_t images = cast<ShapedType>(conv.getInput().getType()).getDimSize(0);
  int64_t rowsOfOutputs = sizes.spatial == 2 && !isFlat ? sizes.out[0] : 1;
  return {groups * std::max<int64_t>(images, 1),
          rowsOfOutputs,
          outputs,
          sizes.filters / groups,
          height * (isMerged ? 1 : width),
          sizes.channels / groups * (isMerged ? width : 1)};
}

/// Rows of taps that are no whole fours, of a first layer's three channels, are read with what is behind them, by
/// weights of zero, where tiles are faster so: the map that they are padded in is as many columns wider. 0: they are
/// not.
int64_t columnsBehindRuns(ConvOp conv, const ConvSizes &sizes, const Target &target) {
  if (sizes.groups != 1 || conv.getDilations().back() != 1 || !readsOutside(conv, sizes))
    return 0;
  TileProduct product = tileProductOf(conv, sizes, 1, /*isMerged=*/true);
  int64_t rest = llvm::alignTo(product.length, 4) - product.length;
  product.length += rest;
  return rest != 0 && isForTiles(target, product) ? llvm::divideCeil(rest, sizes.channels) : 0;
}

void packDot4Convolution(ConvOp conv, const Dot4Target &target, EvaluationCache &cache) {
  std::optional<ConvSizes> sizes = sizesOfBytes(conv);
  if (!sizes)
    return;
  OpBuilder b(conv);
  Dot4Packer packer{{b, conv.getLoc(), cache}};
  int64_t lacks = conv.getFilterZero();
  std::optional<Tensor> weights = packer.nearWeights(conv.getFilter(), conv.isFilterUnsigned(), lacks);
  bool areShared = sizes->groups != 1 && sizes->groups != sizes->filters;
  if (!weights || (lacks && (areShared || conv.getInits().size() != 1)))
    return;
  int64_t behind = lacks ? 0 : columnsBehindRuns(conv, *sizes, target.target);
  bool isUnsigned = conv.isInputUnsigned(), isPadded = padInput(conv, *sizes, behind, b);
  if (lacks)
    packDot4Convolution(addSums(conv, lacks, packer), target, cache);
  int64_t width = sizes->taps.back(), height = sizes->spatial == 2 ? sizes->taps[0] : 1;
  int64_t groups = sizes->groups, perGroup = sizes->channels / groups, filters = sizes->filters / groups;
  SmallVector<NamedAttribute> params{b.getNamedAttr("taps", b.getDenseI64ArrayAttr(sizes->taps))};
  bool isDepthwise = perGroup == 1 && filters == 1 && groups > 1;
  PanelChoice choice;
  Tensor packed;
  if (isDepthwise) {
    Tensor taps = packer.reshaped(*weights, {sizes->channels, height, width});
    packed = packer.woven(packer.tensors().transpose(taps, {1, 2, 0}), target.lanes * 4);
  } else {
    Tensor split = packer.reshaped(*weights, {groups, filters, perGroup, height, width});
    if (int64_t m = target.groupsTogether(groups, perGroup, filters); m > 1) {
      split = packer.inOneGroup(split, m);
      groups /= m;
      perGroup *= m;
      filters *= m;
      conv.setGroup(groups);
    }
    // Rows of taps are adjacent bytes in a map that nobody else lays out; with whole steps nothing depends on that.
    bool isMerged = groups == 1 && conv.getDilations().back() == 1 && (isPadded || perGroup % target.together == 0);
    split = packer.tensors().transpose(split, {0, 1, 3, 4, 2});
    int64_t runs = height * (isMerged ? 1 : width), length = perGroup * (isMerged ? width : 1);
    split = packer.reshaped(split, {groups, filters, runs, length});
    if (behind) {
      split = packer.padded(split, 3, 0, llvm::alignTo(length, 4) - length);
      length = llvm::alignTo(length, 4);
    }
    // Places of extra fours are those of taps where these are whole fours, so that they outlive `merged`.
    bool isByTaps = !isMerged || perGroup % 4 == 0;
    RunsOfWindow window{height, isByTaps ? width : 1, isByTaps ? perGroup : length};
    TileProduct inTiles = tileProductOf(conv, *sizes, groups, isMerged);
    inTiles.length = length;
    if (isForTiles(target.target, inTiles)) {
      choice = target.panelsOfTiles(filters);
    } else {
      std::optional<LargePairs> pairs = target.addsPairs() ? largePairsOf(split, window, cache) : std::nullopt;
      choice = target.panels(filters, inTiles.rows, runs, length, pairs ? &*pairs : nullptr);
    }
    packed = packer.inPanels(split, choice.columns, target.together);
    if (choice.extras)
      packed = packer.inPairs(packed, *choice.extras, window);
    params.append(target.stepParams(b));
    if (isMerged)
      params.push_back(b.getNamedAttr("merged", b.getUnitAttr()));
  }
  if (int64_t zero = seenZero(target, isUnsigned, choice, conv.getInputZero()))
    takeZeroOff(conv, *weights, zero, packer);
  conv.getFilterMutable().assign(packed.value);
  conv.setInputZero(0);
  conv.setFilterZero(0);
  finishDot4(conv, isDepthwise ? "int_depthwise" : "int_conv", params, target, isUnsigned, choice);
}

} // namespace

std::optional<bool> wantsUnsigned(const Target &target) {
  if (target.byteKernels != ByteKernels::Dot4)
    return std::nullopt;
  switch (target.dotProduct) {
  case DotProduct::Vnni:
  case DotProduct::AvxVnni:
  case DotProduct::Pairs:
    return true;
  case DotProduct::Dotprod:
  case DotProduct::Neon:
    return false;
  case DotProduct::Plain:
  case DotProduct::I8mm:
    return std::nullopt;
  }
  return std::nullopt;
}

void packDot4(ModuleOp module, const Target &given) {
  Dot4Target target{given};
  EvaluationCache cache;
  for (Operation *op : contractionsOf(module)) {
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      packDot4Matmul(matmul, target, cache);
      if (target.lanes > 1)
        takeZerosOff(matmul, cache);
    } else {
      packDot4Convolution(volumeAsPlanes(cast<ConvOp>(op)), target, cache);
    }
  }
}

} // namespace sinter
