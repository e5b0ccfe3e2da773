// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass check-plan: an independent look at the memory plan, on every compile. It shares no code with liveness and
// plan, and works the other way round: it runs the program on a model of the arena in which only the last writer's
// bytes are good, and reports reads of bytes that another buffer has written since. Beside it, two figures that no plan
// of these buffers goes below, as attributes of the function: `sinter.needed_bytes`, the most bytes in use at one op,
// and `sinter.graph_bytes`, the most that the tensors between kernels have at one op, each for itself and without
// scratch.
#include "passes/passes.h"

#include "row_order.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace sinter;

namespace {

enum class State : char { Unwritten, Good, Overwritten };

/// A buffer of the arena; or one of the caller's that is state, seen as what it was (`sinter.input`) or as what it
/// becomes (`sinter.input {state = true}`): two values in the same bytes.
struct Place {
  Value buffer;
  int64_t begin, end;
  int64_t stateOf;                   ///< the input's index; -1 in the arena
  SmallVector<unsigned> overlapping; ///< places that have a byte in common with this one
};

class Checker {
public:
  explicit Checker(func::FuncOp function) : function(function) {
    if (auto stated = function->getParentOp()->getAttrOfType<IntegerAttr>("sinter.arena_align"))
      alignment = stated.getInt();
  }

  LogicalResult run() {
    auto arenaBytes = function->getAttrOfType<IntegerAttr>("sinter.arena_bytes");
    if (!arenaBytes)
      return function.emitError("internal error: no arena size");
    bool valid = true;
    function.walk([&](ArenaOp op) {
      int64_t begin = op.getOffset(), end = begin + op.getBytes();
      auto type = cast<MemRefType>(op.getType());
      bool main = !type.getMemorySpace();
      if (begin < 0 || begin % alignment || op.getBytes() < 0 || (main && end > arenaBytes.getInt()) ||
          isTooSmall(op, type)) {
        op.emitError("internal error: a buffer is misplaced in the arena");
        valid = false;
      }
      number[op.getResult()] = places.size();
      places.push_back({op, begin, end, -1, {}});
    });
    addStates();
    function.walk([&](memref::AllocOp op) {
      op.emitError("internal error: an allocation is left");
      valid = false;
    });
    if (!valid)
      return failure();
    for (unsigned a = 0; a < places.size(); ++a)
      for (unsigned b = a + 1; b < places.size(); ++b)
        if (places[a].begin < places[b].end && places[b].begin < places[a].end && spaceOf(a) == spaceOf(b) &&
            places[a].stateOf == places[b].stateOf) {
          places[a].overlapping.push_back(b);
          places[b].overlapping.push_back(a);
        }
    for (Place &place : places) {
      auto input = place.buffer.getDefiningOp<InputOp>();
      bool isGiven = (input && !input.getState()) || place.buffer.getDefiningOp()->hasAttr("sinter.input");
      states.push_back(isGiven ? State::Good : State::Unwritten);
    }
    execute(function.getBody());
    for (auto [place, state] : llvm::zip(places, states)) // what the caller reads next
      if (state == State::Overwritten && place.buffer.getDefiningOp()->hasAttr("sinter.output")) {
        place.buffer.getDefiningOp()->emitError("internal error: an output is overwritten before the call ends");
        ++failures;
      }
    measure();
    return failure(failures > 0);
  }

private:
  Attribute spaceOf(unsigned place) { return cast<MemRefType>(places[place].buffer.getType()).getMemorySpace(); }

  void addStates() {
    DenseSet<int64_t> states;
    function.walk([&](InputOp op) {
      if (op.getState())
        states.insert(op.getIndex());
    });
    function.walk([&](InputOp op) {
      if (!states.contains(op.getIndex()))
        return;
      number[op.getResult()] = places.size();
      places.push_back({op, 0, 1, static_cast<int64_t>(op.getIndex()), {}});
    });
  }

  static bool isTooSmall(ArenaOp op, MemRefType type) {
    if (!type.hasStaticShape())
      return false;
    unsigned bits = 64;
    if (type.getElementType().isIntOrFloat())
      bits = type.getElementTypeBitWidth();
    else if (auto complex = dyn_cast<ComplexType>(type.getElementType()))
      bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
    return static_cast<int64_t>(op.getBytes()) < type.getNumElements() * static_cast<int64_t>((bits + 7) / 8);
  }

  /// The places that a buffer may be (in), traced backward.
  const SetVector<unsigned> &placesOf(Value value) {
    if (auto it = traced.find(value); it != traced.end())
      return *it->second;
    SetVector<unsigned> found;
    SetVector<Value> sources;
    sources.insert(value);
    for (size_t i = 0; i < sources.size(); ++i) {
      if (auto it = number.find(sources[i]); it != number.end())
        found.insert(it->second);
      else
        addSources(sources[i], sources);
    }
    return *(traced[value] = std::make_unique<SetVector<unsigned>>(std::move(found)));
  }

  static void addSources(Value value, SetVector<Value> &sources) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      unsigned index = argument.getArgNumber();
      Operation *parent = argument.getOwner()->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent)) {
        sources.insert(loop.getInitArgs()[index - 1]);
        sources.insert(loop.getYieldedValues()[index - 1]);
      } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
        if (argument.getOwner() == loop.getAfterBody()) {
          sources.insert(loop.getConditionOp().getArgs()[index]);
        } else {
          sources.insert(loop.getInits()[index]);
          sources.insert(loop.getYieldOp().getOperand(index));
        }
      }
      return;
    }
    Operation *op = value.getDefiningOp();
    unsigned index = cast<OpResult>(value).getResultNumber();
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      sources.insert(choice.thenYield().getOperand(index));
      sources.insert(choice.elseYield().getOperand(index));
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      sources.insert(loop.getInitArgs()[index]);
      sources.insert(loop.getYieldedValues()[index]);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      sources.insert(loop.getConditionOp().getArgs()[index]);
    } else {
      for (Value operand : op->getOperands())
        if (isa<BaseMemRefType>(operand.getType()))
          sources.insert(operand);
    }
  }

  void execute(Region &region) {
    for (Operation &op : region.front())
      execute(&op);
  }

  void execute(Operation *op) {
    if (isa<ConstantOp>(op))
      return;
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      std::vector<State> before = states;
      execute(choice.getThenRegion());
      std::vector<State> after = states;
      states = std::move(before);
      if (!choice.getElseRegion().empty())
        execute(choice.getElseRegion());
      merge(after);
      return;
    }
    if (isa<LoopLikeOpInterface>(op)) {
      // Twice: the second time sees what the first left behind. Not at all is possible too.
      std::vector<State> before = states;
      for (int round = 0; round < 2; ++round)
        for (Region &region : op->getRegions())
          execute(region);
      merge(before);
      return;
    }
    if (isa<ViewLikeOpInterface, memref::DimOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
      return;
    access(op);
  }

  struct Span {
    int64_t first = INT64_MAX, last = -1;
    unsigned ops = 0;
  };

  /// From the first op that touches each place to the last, in program order; around a loop that it outlives,
  /// throughout.
  std::vector<Span> findSpans() {
    DenseMap<Operation *, std::pair<int64_t, int64_t>> extent;
    int64_t position = 0;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) { extent[op].first = position++; });
    function.walk([&](Operation *op) { // of an op with regions: up to the last in them
      int64_t &last = extent[op].second = std::max(extent[op].second, extent[op].first);
      extent[op->getParentOp()].second = std::max(extent[op->getParentOp()].second, last);
    });
    std::vector<Span> spans(places.size());
    function.walk([&](Operation *op) {
      if (isa<ViewLikeOpInterface, memref::DimOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
        return;
      for (Value operand : op->getOperands())
        if (isa<BaseMemRefType>(operand.getType()))
          for (unsigned place : placesOf(operand)) {
            auto [first, last] = extent[op];
            for (Operation *around = op->getParentOp(); around != function; around = around->getParentOp())
              if (isa<LoopLikeOpInterface>(around) && !around->isAncestor(places[place].buffer.getDefiningOp()))
                std::tie(first, last) = extent[around];
            spans[place].first = std::min(spans[place].first, first);
            spans[place].last = std::max(spans[place].last, last);
            ++spans[place].ops;
          }
    });
    for (auto [place, span] : llvm::zip(places, spans)) {
      if (place.buffer.getDefiningOp()->hasAttr("sinter.input"))
        span = {0, std::max<int64_t>(span.last, 0), span.ops + 1};
      else if (place.buffer.getDefiningOp()->hasAttr("sinter.output"))
        span = {std::min(span.first, position), position, span.ops + 1};
    }
    return spans;
  }

  void measure() {
    std::vector<Span> spans = findSpans();
    int64_t needed = 0, graph = 0;
    for (const Span &at : spans) { // the sums grow only where a span begins
      std::vector<std::pair<int64_t, int64_t>> live;
      int64_t tensors = 0;
      for (auto [place, span] : llvm::zip(places, spans))
        if (span.first <= at.first && at.first <= span.last && place.stateOf < 0 &&
            !cast<MemRefType>(place.buffer.getType()).getMemorySpace()) {
          live.emplace_back(place.begin, static_cast<int64_t>(llvm::alignTo(place.end, alignment)));
          tensors += span.ops > 1 ? place.end - place.begin : 0; // what one op alone touches is its scratch
        }
      llvm::sort(live);
      int64_t end = 0, used = 0;
      for (auto [from, to] : live) {
        used += std::max<int64_t>(0, to - std::max(from, end));
        end = std::max(end, to);
      }
      needed = std::max(needed, used);
      graph = std::max(graph, tensors);
    }
    Builder builder(function.getContext());
    function->setAttr("sinter.needed_bytes", builder.getI64IntegerAttr(needed));
    function->setAttr("sinter.graph_bytes", builder.getI64IntegerAttr(graph));
  }

  void merge(const std::vector<State> &other) {
    for (auto [state, otherState] : llvm::zip(states, other))
      state = std::max(state, otherState);
  }

  static void collectAccesses(Operation *op, SmallVectorImpl<Value> &reads, SmallVectorImpl<Value> &writes) {
    if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
      SmallVector<MemoryEffects::EffectInstance> instances;
      effects.getEffects(instances);
      for (auto &instance : instances)
        if (Value value = instance.getValue(); value && isa<BaseMemRefType>(value.getType()))
          (isa<MemoryEffects::Read>(instance.getEffect()) ? reads : writes).push_back(value);
      return;
    }
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType())) {
        reads.push_back(operand);
        writes.push_back(operand);
      }
  }

  void access(Operation *op) {
    SmallVector<Value> reads, writes;
    op->walk([&](Operation *inner) { collectAccesses(inner, reads, writes); }); // loop bodies may load from buffers
    for (Value read : reads)
      for (unsigned place : placesOf(read))
        if (states[place] == State::Overwritten) {
          InFlightDiagnostic error = op->emitError("internal error: a buffer is overwritten before it is read");
          error.attachNote(places[place].buffer.getLoc()) << "the buffer at " << places[place].begin;
          ++failures;
          states[place] = State::Good; // one report per mistake
        }
    for (Value write : writes)
      for (unsigned place : placesOf(write)) {
        for (unsigned other : places[place].overlapping) {
          if (llvm::any_of(reads, [&](Value read) { return placesOf(read).contains(other); }) &&
              !isInPlace(op, other, place) && !isBehindReads(op, other, place)) {
            op->emitError("internal error: an op writes over its own input");
            ++failures;
          }
          if (states[other] == State::Good)
            states[other] = State::Overwritten;
        }
        states[place] = State::Good;
      }
  }

  /// Element by element, each read before it is written: all operands in these bytes start at the same one, have
  /// elements of one width, and are indexed alike. Of a product, that is what its epilogue reads.
  bool isInPlace(Operation *op, unsigned input, unsigned output) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps || places[input].begin != places[output].begin)
      return false;
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    if (loops && loops.getNumParallelLoops() != loops.getNumLoops())
      return false;
    AffineMap map;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()))
        continue;
      const SetVector<unsigned> &where = placesOf(operand.get());
      if (!where.contains(input) && !where.contains(output))
        continue;
      AffineMap own = loops ? loops.getMatchingIndexingMap(&operand) : epilogueMap(dps, operand);
      if (!own || !number.contains(operand.get()) || !own.isPermutation() || (map && own != map) ||
          widthOf(operand) != widthOf(*dps.getDpsInitOperand(0)))
        return false;
      map = own;
    }
    return true;
  }

  /// What a kernel that promises an order (kernel_orders.def) does, or a loop nest: row after row, or pixel or element.
  struct Steps {
    bool readsOnce = true;
    int64_t pixelBytes = 1; ///< of kernels that keep channels apart
    int64_t rows, rowBytes, inRows, inRowBytes, stride = 1, extent = 1, pad = 0;
  };

  /// Runs the op row by row: what it writes must never be a byte of a row that it reads later.
  bool isBehindReads(Operation *op, unsigned input, unsigned output) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    auto threads = op->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>("sinter.threads");
    if (!dps || (threads && threads.getInt() > 1))
      return false;
    OpOperand *source = nullptr;
    for (OpOperand &operand : op->getOpOperands()) {
      bool isMemory = isa<BaseMemRefType>(operand.get().getType());
      if (isMemory && placesOf(operand.get()).contains(input) && std::exchange(source, &operand))
        return false; // read in two ways
    }
    OpOperand &target = *dps.getDpsInitOperand(0);
    if (!source || !isAllOf(*source, input) || !isAllOf(target, output))
      return false;
    std::optional<Steps> steps = stepsOf(op, *source, target);
    if (!steps)
      return false;
    int64_t in = places[input].begin, out = places[output].begin;
    if ((in - out) % steps->pixelBytes != 0)
      return false;
    for (int64_t row = 0; row + 1 < steps->rows; ++row) {
      int64_t written = out + (row + 1) * steps->rowBytes;
      int64_t later =
          steps->readsOnce ? row * steps->stride - steps->pad + steps->extent : (row + 1) * steps->stride - steps->pad;
      for (int64_t read = std::max<int64_t>(later, 0); read < steps->inRows; ++read) {
        int64_t first = in + read * steps->inRowBytes;
        if (first < written && first + steps->inRowBytes > out)
          return false;
      }
    }
    return true;
  }

  /// The operand is the buffer from its first byte on, without gaps.
  bool isAllOf(OpOperand &operand, unsigned place) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    Value buffer = operand.get();
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
      buffer = view.getViewSource();
    return type && type.hasStaticShape() && type.getLayout().isIdentity() && buffer == places[place].buffer &&
           type.getNumElements() * static_cast<int64_t>(widthOf(operand)) == places[place].end - places[place].begin;
  }

  static std::optional<Steps> stepsOf(Operation *op, OpOperand &source, OpOperand &target) {
    auto shapeOf = [](OpOperand &operand) { return cast<MemRefType>(operand.get().getType()).getShape(); };
    ArrayRef<int64_t> in = shapeOf(source), out = shapeOf(target);
    int64_t inWidth = widthOf(source), outWidth = widthOf(target);
    Steps steps;
    if (auto loops = dyn_cast<linalg::LinalgOp>(op)) {
      if (loops.getNumParallelLoops() != loops.getNumLoops() || (inWidth != 1 && outWidth != 1) ||
          !loops.getMatchingIndexingMap(&source).isIdentity() || !loops.getMatchingIndexingMap(&target).isIdentity())
        return std::nullopt;
      steps.rows = steps.inRows = ShapedType::getNumElements(in);
      steps.inRowBytes = inWidth;
      steps.rowBytes = outWidth;
      return steps;
    }
    auto conv = dyn_cast<ConvOp>(op);
    if (!conv || source.getOperandNumber() != 0 || conv.getRowPad() || conv.getStrides().size() != 2)
      return std::nullopt;
    std::optional<KernelOrder> order = orderOf(conv.getPacked());
    int64_t inDim = conv.firstSpatialIn(), outDim = conv.firstSpatialOut();
    auto isOne = [](int64_t size) { return size == 1; };
    if (!order || !llvm::all_of(in.take_front(inDim), isOne) || !llvm::all_of(out.take_front(outDim), isOne))
      return std::nullopt;
    steps.readsOnce = *order == KernelOrder::Held;
    if (*order == KernelOrder::Planes) {
      steps.pixelBytes = in.back() * inWidth;
      if (out.back() * outWidth != steps.pixelBytes)
        return std::nullopt;
    }
    steps.rows = out[outDim];
    steps.inRows = in[inDim];
    steps.rowBytes = ShapedType::getNumElements(out.drop_front(outDim + 1)) * outWidth;
    steps.inRowBytes = ShapedType::getNumElements(in.drop_front(inDim + 1)) * inWidth;
    steps.stride = conv.getStrides()[0];
    steps.extent = (conv.taps(0) - 1) * conv.getDilations()[0] + 1;
    steps.pad = conv.getPads()[0];
    bool isByPixels = steps.readsOnce && conv.taps(0) * conv.taps(1) == 1 && conv.getStrides()[0] == 1 &&
                      conv.getStrides()[1] == 1 && in[inDim + 1] == out[outDim + 1];
    if (isByPixels) {
      steps.rows *= in[inDim + 1], steps.inRows *= in[inDim + 1];
      steps.rowBytes /= in[inDim + 1], steps.inRowBytes /= in[inDim + 1];
    }
    return steps;
  }

  /// From output coordinates to the operand's; null: read otherwise.
  static AffineMap epilogueMap(DestinationStyleOpInterface op, OpOperand &operand) {
    auto maps = op->getAttrOfType<ArrayAttr>("epilogue_maps");
    if (!maps || op->getRegion(0).front().getTerminator()->getNumOperands() != 1)
      return {};
    int64_t rank = cast<MemRefType>(op.getDpsInitOperand(0)->get().getType()).getRank();
    if (&operand == op.getDpsInitOperand(0))
      return AffineMap::getMultiDimIdentityMap(rank, op->getContext());
    // Two operands of the product, then the epilogue's.
    int64_t index = static_cast<int64_t>(operand.getOperandNumber()) - 2;
    return index < 0 || op.isDpsInit(&operand) ? AffineMap() : cast<AffineMapAttr>(maps[index]).getValue();
  }

  static unsigned widthOf(OpOperand &operand) {
    Type element = cast<MemRefType>(operand.get().getType()).getElementType();
    return element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 0;
  }

  func::FuncOp function;
  std::vector<Place> places;
  DenseMap<Value, unsigned> number;
  DenseMap<Value, std::unique_ptr<SetVector<unsigned>>> traced;
  std::vector<State> states;
  unsigned failures = 0;
  int64_t alignment = 64; ///< the target may ask for less: sinter.arena_align of the module
};

} // namespace

LogicalResult sinter::checkPlan(ModuleOp module) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (failed(Checker(function).run()))
      return failure();
  return success();
}
