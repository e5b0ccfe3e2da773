// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state that grows (ops/growing_states.h) is put into the first rows of its buffer whole, although most of these rows
// are there already: present = concat(past, new), where past is the buffer's part in use. Here only the pieces that are
// new are inserted, each at its place, and whoever reads the concatenation reads a view of the buffer:
//   %part = extract_slice %buffer[0][past]              %part = extract_slice %buffer[0][past]
//   %all = concat %part, %new                     ->    %then = insert_slice %new into %buffer[past]
//   %then = insert_slice %all into %buffer[0]           %all = extract_slice %then[0][past + rows]
// Keys and values may be stacked in one state, one concatenation in another. What the concatenation leaves undefined (a
// tensor.empty) is what the buffer held. A loop that does nothing but insert into what it carries, over a batch, is
// done on the buffer. Preconditions: the pieces lie one behind another without strides; all ops stand in the function's
// block.
#include "growing_states.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Where in the buffer a value lies: from `offsets` on, its dim i along the buffer's dim dims[i].
struct AppendPlace {
  Sizes offsets;
  SmallVector<int64_t> dims;
};

/// Finds out how a value is put together, without changing anything.
class Pieces {
public:
  explicit Pieces(Value buffer) : buffer(buffer) {}

  struct Piece {
    Value value;
    AppendPlace place;
    scf::ForOp loop = nullptr; ///< inserts into what is there: `value` is its result
  };
  SmallVector<Piece> fresh;  ///< what is new, in the order in which it is written
  SmallVector<Piece> joined; ///< what is made of pieces, from the parts to the whole
  bool keeps = false;        ///< some of it is in the buffer already

  void split(OpBuilder &b, Value value, const AppendPlace &place) {
    if (auto concat = value.getDefiningOp<tensor::ConcatOp>()) {
      AppendPlace part = place;
      auto axis = static_cast<size_t>(place.dims[concat.getDim()]);
      for (Value input : concat.getInputs()) {
        split(b, input, part);
        part.offsets[axis] = add(b, concat.getLoc(), part.offsets[axis],
                                 dimOf(b, concat.getLoc(), input, static_cast<int64_t>(concat.getDim())));
      }
      joined.push_back({value, place});
    } else if (auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
               insert && insert.hasUnitStride() && insert.getDest().hasOneUse()) {
      split(b, insert.getDest(), place);
      fresh.push_back({insert.getSource(), placeIn(b, place, insert, insert.getMixedOffsets())});
      joined.push_back({value, place});
    } else if (auto loop = value.getDefiningOp<scf::ForOp>();
               loop && loop.getNumResults() == 1 && onlyInserts(loop) && loop.getInitArgs()[0].hasOneUse()) {
      split(b, loop.getInitArgs()[0], place);
      fresh.push_back({value, place, loop});
      joined.push_back({value, place});
    } else if (value.getDefiningOp<tensor::EmptyOp>()) {
      // as the buffer has it
    } else if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>(); slice && takesAll(b, slice)) {
      split(b, slice.getSource(), place);
      joined.push_back({value, place});
    } else if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>(); expand && onlyAddsOnes(expand)) {
      AppendPlace inside{place.offsets, {}};
      for (const ReassociationIndices &group : expand.getReassociationIndices()) {
        const int64_t *kept =
            llvm::find_if(group, [&](int64_t d) { return expand.getResultType().getDimSize(d) != 1; });
        inside.dims.push_back(place.dims[static_cast<size_t>(kept == group.end() ? group.back() : *kept)]);
      }
      split(b, expand.getSrc(), inside);
    } else if (isThere(value, place)) {
      keeps = true;
    } else {
      fresh.push_back({value, place});
    }
  }

  /// Where a part lies that is inserted into a value at `place`.
  static AppendPlace placeIn(OpBuilder &b, const AppendPlace &place, tensor::InsertSliceOp insert,
                             ArrayRef<Size> offsets) {
    AppendPlace part{place.offsets, {}};
    llvm::SmallBitVector dropped = insert.getDroppedDims();
    for (auto [d, offset] : llvm::enumerate(offsets)) {
      Size &sum = part.offsets[static_cast<size_t>(place.dims[d])];
      sum = constantOf(sum) == 0 ? offset : add(b, insert.getLoc(), sum, offset);
      if (!dropped.test(static_cast<unsigned>(d)))
        part.dims.push_back(place.dims[d]);
    }
    return part;
  }

private:
  /// From what the loop carries to what it yields there are insertions alone, and nobody reads in between.
  static bool onlyInserts(scf::ForOp loop) {
    Value carried = loop.getYieldedValues()[0];
    while (carried != loop.getRegionIterArg(0)) {
      auto insert = carried.getDefiningOp<tensor::InsertSliceOp>();
      if (!insert || !insert.hasUnitStride() || !carried.hasOneUse() || insert->getBlock() != loop.getBody())
        return false;
      carried = insert.getDest();
    }
    return carried.hasOneUse();
  }

  static bool onlyAddsOnes(tensor::ExpandShapeOp expand) {
    return llvm::all_of(expand.getReassociationIndices(), [&](const ReassociationIndices &group) {
      return llvm::count_if(group, [&](int64_t d) { return expand.getResultType().getDimSize(d) != 1; }) <= 1;
    });
  }

  /// Of a value that nobody else makes part of the buffer.
  bool takesAll(OpBuilder &b, tensor::ExtractSliceOp slice) const {
    if (!slice.hasUnitStride() || slice.getType().getRank() != slice.getSourceType().getRank() ||
        !slice.getSource().getDefiningOp<tensor::ConcatOp>())
      return false;
    for (auto [d, offset] : llvm::enumerate(slice.getMixedOffsets()))
      if (constantOf(offset) != 0 ||
          !sameSize(slice.getMixedSizes()[d], dimOf(b, slice.getLoc(), slice.getSource(), static_cast<int64_t>(d))))
        return false;
    return true;
  }

  /// The value is a slice of the buffer, at that very place.
  bool isThere(Value value, const AppendPlace &place) const {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
    Sizes offsets(place.offsets.size(), IntegerAttr::get(IndexType::get(buffer.getContext()), 0));
    SmallVector<tensor::ExtractSliceOp> slices;
    for (; value != buffer; value = slices.back().getSource()) {
      auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice || !slice.hasUnitStride())
        return false;
      slices.push_back(slice);
    }
    // From the buffer's dims to the value's.
    SmallVector<int64_t> left = llvm::to_vector(llvm::seq<int64_t>(0, static_cast<int64_t>(offsets.size())));
    for (tensor::ExtractSliceOp slice : llvm::reverse(slices)) {
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      SmallVector<int64_t> kept;
      for (auto [d, offset] : llvm::enumerate(slice.getMixedOffsets())) {
        Size &sum = offsets[static_cast<size_t>(left[d])];
        if (constantOf(sum) != 0 && constantOf(offset) != 0)
          return false;
        sum = constantOf(sum) == 0 ? offset : sum;
        if (!dropped.test(static_cast<unsigned>(d)))
          kept.push_back(left[d]);
      }
      left = kept;
    }
    // Which of the buffer's dims a dim of size 1 stands for makes no difference.
    for (auto [d, size] : llvm::enumerate(shape))
      if (size != 1 && left[d] != place.dims[d])
        return false;
    return llvm::all_of(llvm::zip(offsets, place.offsets),
                        [](auto pair) { return sameSize(std::get<0>(pair), std::get<1>(pair)); });
  }

  Value buffer;
};

/// The sizes of a piece along the buffer's dims.
Sizes sizesIn(OpBuilder &b, Location loc, const Pieces::Piece &piece, size_t rank) {
  Sizes sizes(rank, sizeOf(b, 1));
  for (auto [i, d] : llvm::enumerate(piece.place.dims))
    sizes[static_cast<size_t>(d)] = dimOf(b, loc, piece.value, static_cast<int64_t>(i));
  return sizes;
}

Value inserted(OpBuilder &b, const Pieces::Piece &piece, Value whole) {
  auto rank = static_cast<size_t>(cast<RankedTensorType>(whole.getType()).getRank());
  return b.create<tensor::InsertSliceOp>(piece.value.getLoc(), piece.value, whole, piece.place.offsets,
                                         sizesIn(b, piece.value.getLoc(), piece, rank), Sizes(rank, sizeOf(b, 1)));
}

/// The loop, inserting into the buffer.
Value repeated(OpBuilder &b, const Pieces::Piece &piece, Value whole) {
  scf::ForOp loop = piece.loop;
  auto body = [&](OpBuilder &inside, Location loc, Value step, ValueRange carried) {
    IRMapping map;
    map.map(loop.getInductionVar(), step);
    Value into = carried.front(), end = loop.getRegionIterArg(0);
    for (Operation &op : loop.getBody()->without_terminator()) {
      auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      if (!insert || insert.getDest() != end) {
        inside.clone(op, map);
        continue;
      }
      end = insert.getResult();
      Sizes offsets = insert.getMixedOffsets();
      for (Size &offset : offsets)
        if (auto value = dyn_cast<Value>(offset))
          offset = map.lookupOrDefault(value);
      AppendPlace place = Pieces::placeIn(inside, piece.place, insert, offsets);
      into = inserted(inside, {map.lookupOrDefault(insert.getSource()), place}, into);
    }
    inside.create<scf::YieldOp>(loc, into);
  };
  return b
      .create<scf::ForOp>(loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), ValueRange{whole},
                          body)
      .getResult(0);
}

/// The op of `block` behind which all that is written is there, and as late as may be: whoever reads what the buffer
/// held in front of the first reader of the whole finds it there still. Null: the start of the block.
Operation *whereToWrite(const Pieces &pieces, tensor::InsertSliceOp put) {
  Block *block = put->getBlock();
  Operation *last = nullptr;
  auto standsBehind = [&](Operation *op) {
    if (op && op->getBlock() == block && (!last || last->isBeforeInBlock(op)))
      last = op;
  };
  standsBehind(put.getDest().getDefiningOp());
  for (const auto *list : {&pieces.fresh, &pieces.joined})
    for (const Pieces::Piece &piece : *list)
      for (Size offset : piece.place.offsets)
        if (auto value = dyn_cast<Value>(offset))
          standsBehind(value.getDefiningOp());
  llvm::SmallPtrSet<Operation *, 8> parts{put};
  for (const Pieces::Piece &piece : pieces.fresh)
    standsBehind(piece.value.getDefiningOp());
  for (const Pieces::Piece &piece : pieces.joined)
    parts.insert(piece.value.getDefiningOp());
  Operation *firstReader = put;
  for (const Pieces::Piece &piece : pieces.joined)
    for (Operation *user : piece.value.getUsers())
      if (Operation *reader = block->findAncestorOpInBlock(*user);
          reader && !parts.contains(reader) && reader->isBeforeInBlock(firstReader))
        firstReader = reader;
  if (Operation *before = firstReader->getPrevNode())
    standsBehind(before);
  return last;
}

void append(tensor::InsertSliceOp put) {
  if (SmallVector<tensor::InsertSliceOp> inner = putInBranches(put); !inner.empty()) {
    llvm::for_each(inner, append);
    return;
  }
  Value buffer = put.getDest();
  auto type = cast<RankedTensorType>(buffer.getType());
  auto rank = static_cast<size_t>(type.getRank());
  OpBuilder b(put);
  AppendPlace all{put.getMixedOffsets(), llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()))};
  Pieces pieces(buffer);
  pieces.split(b, put.getSource(), all);
  if (!pieces.keeps)
    return;

  Block *block = put->getBlock();
  if (Operation *last = whereToWrite(pieces, put))
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPointToStart(block);
  Sizes ones(rank, sizeOf(b, 1));
  Value whole = buffer;
  for (const Pieces::Piece &piece : pieces.fresh)
    whole = piece.loop ? repeated(b, piece, whole) : inserted(b, piece, whole);
  Operation *written = whole.getDefiningOp();
  for (Pieces::Piece &piece : pieces.joined) {
    Location loc = piece.value.getLoc();
    Value view = b.create<tensor::ExtractSliceOp>(loc, cast<RankedTensorType>(piece.value.getType()), whole,
                                                  piece.place.offsets, sizesIn(b, loc, piece, rank), ones);
    piece.value.replaceUsesWithIf(view, [&](OpOperand &use) {
      Operation *user = block->findAncestorOpInBlock(*use.getOwner());
      return user && user != view.getDefiningOp() && written->isBeforeInBlock(user) && user != put;
    });
  }
  put.getResult().replaceAllUsesWith(whole);
  put.erase();
  for (const Pieces::Piece &piece : pieces.fresh)
    if (piece.loop && piece.value.use_empty())
      piece.loop->erase();
}

} // namespace

void sinter::appendToStates(func::FuncOp main) {
  SmallVector<tensor::InsertSliceOp> puts;
  main.walk([&](bufferization::MaterializeInDestinationOp copy) {
    auto output = copy.getDest().getDefiningOp<OutputOp>();
    auto put = copy.getSource().getDefiningOp<tensor::InsertSliceOp>();
    if (!output || !output->hasAttr("sinter.state") || !put)
      return;
    auto whole = put.getDest().getDefiningOp<bufferization::ToTensorOp>();
    if (whole && whole.getMemref().getDefiningOp<InputOp>())
      puts.push_back(put);
  });
  for (tensor::InsertSliceOp put : puts)
    append(put);
}
