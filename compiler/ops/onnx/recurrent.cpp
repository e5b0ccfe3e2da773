// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LSTM, GRU and RNN: the input's products of all steps are one matrix product; a loop over steps then adds the state's
// and runs the cell. A sequence that is over keeps its state and gives zeros. com.microsoft.DynamicQuantizeLSTM
// multiplies integers: inputs and states are quantized by what is in them. com.microsoft.AttnLSTM attends to a memory
// after each step; what it finds there is one more input of the next.
#include "ops/activations.h"
#include "ops/contraction.h"
#include "ops/meeting.h"
#include "ops/memory_attention.h"
#include "ops/quantized_contractions.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

/// One direction of one node, in sinter's own layout: x [steps, batch, input].
struct Direction {
  Op &op;
  unsigned number;
  bool backward;
  int64_t gates;
  SmallVector<Activation> activations;
  double clip;

  /// Gate `g` of [batch, gates * hidden].
  Tensor gate(const Tensors &t, Tensor all, int64_t g, Size hidden) const {
    Sizes sizes = t.sizes(all), offsets{sizeOf(t.b, 0), mul(t.b, t.loc, sizeOf(t.b, g), hidden)},
          ones(2, sizeOf(t.b, 1));
    sizes[1] = hidden;
    return t.slice(all, offsets, sizes, ones);
  }
  Value limited(const Scalars &s, Value x) const {
    return clip > 0 ? s.min(s.max(x, s.constant(-clip)), s.constant(clip)) : x;
  }
  Value activate(const Scalars &s, unsigned which, Value x) const { return activations[which].apply(s, limited(s, x)); }
};

/// Entry `index` of the leading dim, which vanishes.
Tensor entryAt(const Tensors &t, Tensor x, Size index) { return entryOf(t, x, 0, index); }

/// [number * step, (number + 1) * step) of a vector.
Tensor part(const Tensors &t, Tensor x, int64_t number, Size step) {
  return t.slice(x, {mul(t.b, t.loc, sizeOf(t.b, number), step)}, {step}, {sizeOf(t.b, 1)});
}

/// `x`, which is as large as `same`: so that whoever asks for its sizes outside of the loop that makes it is told.
Tensor withSizesOf(const Tensors &t, Tensor x, Tensor same) {
  Sizes sizes = t.sizes(same), zeros(sizes.size(), sizeOf(t.b, 0)), ones(sizes.size(), sizeOf(t.b, 1));
  return llvm::all_of(x.shape(), [](int64_t n) { return !ShapedType::isDynamic(n); }) ? x
                                                                                      : t.slice(x, zeros, sizes, ones);
}

using Cell = llvm::function_ref<SmallVector<Tensor>(Tensors &t, Tensor gates, ArrayRef<Tensor> state)>;

/// The lengths of sequences, which are from 0 to the number of steps.
Tensor checkedLengths(const Op &op, Tensor lengths, Size steps) {
  Value end = toValue(op.b, op.loc, add(op.b, op.loc, steps, sizeOf(op.b, 1)));
  return op.elementwise({lengths}, lengths.element, [&](const Scalars &s, ValueRange v) -> Value {
    Value checked = s.b.create<CheckIndexOp>(s.loc, s.b.getIndexType(), v[0], end, false);
    return s.b.create<arith::IndexCastOp>(s.loc, v[0].getType(), checked);
  });
}

/// Runs the loop over steps of one direction; `y` collects [steps, directions, batch, hidden]. Returns y and the states
/// after the last step.
SmallVector<Tensor> overSteps(const Direction &d, Tensor inputGates, Tensor lengths, Tensor y,
                              SmallVector<Tensor> state, Cell cell) {
  Op &op = d.op;
  OpBuilder &b = op.b;
  Size steps = op.size(inputGates, 0);
  SmallVector<Value> starts{y.value};
  for (Tensor x : state)
    starts.push_back(x.value);
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  auto loop = b.create<scf::ForOp>(op.loc, zero, toValue(b, op.loc, steps), one, starts);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  Tensors t{inside, op.loc};
  Value step = loop.getInductionVar();
  if (d.backward)
    step = inside.create<arith::SubIOp>(op.loc, toValue(inside, op.loc, sub(inside, op.loc, steps, sizeOf(inside, 1))),
                                        step);
  SmallVector<Tensor> before;
  for (auto [x, argument] : llvm::zip(state, loop.getRegionIterArgs().drop_front()))
    before.push_back({argument, x.element});
  SmallVector<Tensor> after = cell(t, entryAt(t, inputGates, step), before);
  Tensor shown = after.front();
  if (lengths) {
    Tensor runs = t.elementwise({lengths}, ElementType::Bool, [&](const Scalars &s, ValueRange v) {
      Value now = s.b.create<arith::IndexCastOp>(s.loc, v[0].getType(), step);
      return s.compare(Compare::Less, now, v[0]);
    });
    Tensor column = t.unsqueeze(runs, {1});
    auto where = [&](Tensor x, Tensor otherwise) {
      return t.elementwise({x, column, otherwise}, x.element,
                           [](const Scalars &s, ValueRange v) { return s.select(v[1], v[0], v[2]); });
    };
    shown = t.elementwise({shown, column}, shown.element,
                          [](const Scalars &s, ValueRange v) { return s.select(v[1], v[0], s.constant(0)); });
    for (auto [x, old] : llvm::zip(after, before))
      x = where(x, old);
  }
  Sizes sizes = t.sizes(shown), offsets{step, sizeOf(inside, d.number), sizeOf(inside, 0), sizeOf(inside, 0)},
        ones(4, sizeOf(inside, 1));
  sizes.insert(sizes.begin(), 2, sizeOf(inside, 1));
  SmallVector<Value> yields{
      inside.create<tensor::InsertSliceOp>(op.loc, shown.value, loop.getRegionIterArgs().front(), offsets, sizes, ones)
          .getResult()};
  for (auto [x, old] : llvm::zip(after, before))
    yields.push_back(asType(inside, op.loc, x.value, old.value.getType()));
  inside.create<scf::YieldOp>(op.loc, yields);
  SmallVector<Tensor> results{{loop.getResult(0), y.element}};
  for (auto [x, result] : llvm::zip(state, loop.getResults().drop_front()))
    results.push_back(withSizesOf(op, {result, x.element}, x));
  return results;
}

/// What inputs and states are multiplied by: floats [out, in]; or integers [in, out] with a scale and a zero point,
/// each a number or one for each column.
struct Factor {
  Tensor values, scale, zero;
};

/// x [rows, in] times w; sizes have been checked.
Tensor timesFactor(Op &op, OpBuilder &b, Tensor x, const Factor &w) {
  Op here(op.conversion, op.node, b);
  if (!w.scale)
    return *matmul(here, x, w.values, false, true);
  auto quantized = here.call("DynamicQuantizeLinear", 11, x, {}, 3);
  Tensor sums = *quantizedMatmul(here, (*quantized)[0], (*quantized)[2], w.values, w.zero);
  return scaledSums(here, sums, (*quantized)[1], w.scale, {}, x.element);
}

/// Of one direction. GRU's r and rBias are the candidate's part, rZr the gates'; ONNX's order is z, r, h.
struct RecurrentParameters {
  Factor r, rZr;          ///< to gates * hidden, 2 * hidden columns
  Tensor rBias, peephole; ///< [gates * hidden], [3 * hidden]
  Size hidden;
};

/// Rows [from * hidden, (from + count) * hidden).
Tensor rows(const Tensors &t, Tensor x, int64_t from, int64_t count, Size hidden) {
  Sizes sizes = t.sizes(x), offsets(sizes.size(), sizeOf(t.b, 0)), ones(sizes.size(), sizeOf(t.b, 1));
  offsets[0] = mul(t.b, t.loc, sizeOf(t.b, from), hidden);
  sizes[0] = mul(t.b, t.loc, sizeOf(t.b, count), hidden);
  return t.slice(x, offsets, sizes, ones);
}

SmallVector<Tensor> lstmCell(const Direction &d, const RecurrentParameters &p, Tensors &t, Tensor input,
                             ArrayRef<Tensor> state) {
  Tensor gates = sumOf(t, {input, timesFactor(d.op, t.b, state[0], p.r)});
  bool coupled = d.op.integer("input_forget", 0) != 0;
  SmallVector<Tensor> operands{state[1]};
  for (int64_t g : {0, 2, 3}) // i, f, c; ONNX's order is i, o, f, c
    operands.push_back(d.gate(t, gates, g, p.hidden));
  if (p.peephole)
    for (int64_t k : {0, 2})
      operands.push_back(part(t, p.peephole, k, p.hidden));
  Tensor cell = t.elementwise(operands, input.element, [&](const Scalars &s, ValueRange v) {
    auto peeped = [&](Value gate, unsigned k) { return p.peephole ? s.add(gate, s.mul(v[k], v[0])) : gate; };
    Value i = d.activate(s, 0, peeped(v[1], 4));
    Value f = coupled ? s.sub(s.constant(1), i) : d.activate(s, 0, peeped(v[2], 5));
    return s.add(s.mul(f, v[0]), s.mul(i, d.activate(s, 1, v[3])));
  });
  operands = {cell, d.gate(t, gates, 1, p.hidden)};
  if (p.peephole)
    operands.push_back(part(t, p.peephole, 1, p.hidden));
  Tensor hidden = t.elementwise(operands, input.element, [&](const Scalars &s, ValueRange v) {
    Value o = d.activate(s, 0, p.peephole ? s.add(v[1], s.mul(v[2], v[0])) : v[1]);
    return s.mul(o, d.activations[2].apply(s, v[0]));
  });
  return {hidden, cell};
}

SmallVector<Tensor> gruCell(const Direction &d, const RecurrentParameters &p, Tensors &t, Tensor input,
                            ArrayRef<Tensor> state) {
  bool linearFirst = d.op.integer("linear_before_reset", 0) != 0;
  Tensor h = state[0], zr = timesFactor(d.op, t.b, h, p.rZr);
  auto gateOf = [&](int64_t g) {
    return t.elementwise({d.gate(t, input, g, p.hidden), d.gate(t, zr, g, p.hidden)}, h.element,
                         [&](const Scalars &s, ValueRange v) { return d.activate(s, 0, s.add(v[0], v[1])); });
  };
  Tensor reset = gateOf(1), candidate = d.gate(t, input, 2, p.hidden), scaled;
  if (linearFirst) {
    Tensor fromState = timesFactor(d.op, t.b, h, p.r);
    if (p.rBias)
      fromState = sumOf(t, {fromState, p.rBias});
    scaled =
        t.elementwise({reset, fromState}, h.element, [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
  } else {
    Tensor kept =
        t.elementwise({reset, h}, h.element, [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
    scaled = timesFactor(d.op, t.b, kept, p.r);
  }
  Tensor update = gateOf(0);
  return {t.elementwise({candidate, scaled, update, h}, h.element, [&](const Scalars &s, ValueRange v) {
    Value fresh = d.activate(s, 1, s.add(v[0], v[1]));
    return s.add(s.mul(s.sub(s.constant(1), v[2]), fresh), s.mul(v[2], v[3]));
  })};
}

SmallVector<Tensor> rnnCell(const Direction &d, const RecurrentParameters &p, Tensors &t, Tensor input,
                            ArrayRef<Tensor> state) {
  return {t.elementwise({input, timesFactor(d.op, t.b, state[0], p.r)}, input.element,
                        [&](const Scalars &s, ValueRange v) { return d.activate(s, 0, s.add(v[0], v[1])); })};
}

/// AttnLSTM's operands of one direction.
MemoryAttention attentionOf(Op &op, int64_t direction) {
  auto own = [&](unsigned i) { return op.has(i) ? entryAt(op, op.input(i), sizeOf(op.b, direction)) : Tensor(); };
  return {op, op.input(11), own(9), own(8), own(10), op.has(12) ? op.input(12) : Tensor(), own(13)};
}

using CellOf = SmallVector<Tensor> (*)(const Direction &, const RecurrentParameters &, Tensors &, Tensor,
                                       ArrayRef<Tensor>);

LogicalResult lowerRecurrent(Op &op, int64_t gates, ArrayRef<StringRef> defaults, CellOf cell, bool isQuantized = false,
                             bool isAttentive = false) {
  Tensor x = op.input(0), w = op.input(1), r = op.input(2);
  bool isLstm = gates == 4, isGru = gates == 3, batchFirst = op.integer("layout", 0) != 0;
  if (x.rank() != 3 || w.rank() != 3 || r.rank() != 3)
    return op.fail(Code::ShapeMismatch, "X, W and R of a recurrent operator have rank 3");
  if (batchFirst)
    x = op.transpose(x, {1, 0, 2});
  Sizes in = op.sizes(x);
  Size steps = in[0], batch = in[1], hidden = op.size(r, isQuantized ? 1 : 2),
       width = mul(op.b, op.loc, sizeOf(op.b, gates), hidden);
  StringRef direction = op.string("direction", "forward");
  int64_t directions = direction == "bidirectional" ? 2 : 1;
  if (constantOf(op.size(w, 0)).value_or(directions) != directions)
    return op.fail(Code::ShapeMismatch, "W does not have an entry per direction");
  auto differ = [](Size a, Size c) { return constantOf(a) && constantOf(c) && !sameSize(a, c); };
  int64_t wide = isQuantized ? 2 : 1; // the axis of gates
  if (differ(op.size(w, wide), width) || differ(op.size(r, wide), width) ||
      (!isAttentive && differ(op.size(w, 3 - wide), in[2])))
    return op.fail(Code::ShapeMismatch, "the sizes of X, W and R do not fit together");
  FailureOr<SmallVector<Activation>> activations = activationsOf(op, defaults, directions);
  if (failed(activations))
    return failure();
  Tensor lengths = op.has(4) ? checkedLengths(op, op.input(4), steps) : Tensor(), bias = op.inputOrNone(3),
         peephole = isLstm ? op.inputOrNone(7) : Tensor();
  unsigned stateCount = isLstm ? 2 : 1;
  Sizes stateSizes{batch, hidden}, ySizes{steps, sizeOf(op.b, directions), batch, hidden};
  Value zero = narrow(op.b, op.loc, x.element, Scalars{op.b, op.loc, x.element}.constant(0));
  Tensor y = op.empty(ySizes, x.element);
  std::vector<SmallVector<Tensor>> last(stateCount);
  auto factor = [&](unsigned values, unsigned scale, int64_t k) -> Factor {
    auto own = [&](unsigned i) { return entryAt(op, op.input(i), sizeOf(op.b, k)); };
    return isQuantized ? Factor{own(values), own(scale), own(scale + 1)} : Factor{own(values), {}, {}};
  };
  for (int64_t k = 0; k < directions; ++k) {
    ArrayRef<Activation> own = ArrayRef(*activations).slice(k * defaults.size(), defaults.size());
    Direction d{op,    static_cast<unsigned>(k),     direction == "reverse" || k == 1,
                gates, SmallVector<Activation>(own), op.real("clip", 0)};
    RecurrentParameters p{
        factor(2, 10, k), {}, {}, peephole ? entryAt(op, peephole, sizeOf(op.b, k)) : Tensor(), hidden};
    if (isGru) {
      p.rZr.values = rows(op, p.r.values, 0, 2, hidden);
      p.r.values = rows(op, p.r.values, 2, 1, hidden);
    }
    Tensor flat = op.reshape(x, {mul(op.b, op.loc, steps, batch), in[2]});
    Factor fromInput = factor(1, 8, k), fromMemory;
    std::optional<MemoryAttention> attention;
    if (isAttentive) { // columns for the input, then those for what was found in the memory
      attention = attentionOf(op, k);
      Tensor all = fromInput.values;
      fromInput.values = partOf(op, all, 1, sizeOf(op.b, 0), in[2]);
      fromMemory.values = partOf(op, all, 1, in[2], sub(op.b, op.loc, op.size(all, 1), in[2]));
    }
    Tensor inputGates = timesFactor(op, op.b, flat, fromInput);
    if (bias) {
      Tensor both = entryAt(op, bias, sizeOf(op.b, k)), wBias = part(op, both, 0, width);
      Tensor added = part(op, both, 1, width);
      if (isGru &&
          op.integer("linear_before_reset", 0)) { // the candidate's is added before the reset gate, in the cell
        p.rBias = rows(op, added, 2, 1, hidden);
        added = op.concat({rows(op, added, 0, 2, hidden), op.filled({hidden}, x.element, zero)}, 0);
      }
      inputGates = sumOf(op, {inputGates, wBias, added});
    }
    inputGates = op.reshape(inputGates, {steps, batch, width});
    SmallVector<Tensor> state;
    for (unsigned i = 0; i < stateCount; ++i) {
      if (!op.has(5 + i)) {
        state.push_back(op.filled(stateSizes, x.element, zero));
        continue;
      }
      Tensor initial = batchFirst ? op.transpose(op.input(5 + i), {1, 0, 2}) : op.input(5 + i);
      state.push_back(entryAt(op, initial, sizeOf(op.b, k)));
    }
    if (attention)
      state.push_back(op.filled({batch, op.size(fromMemory.values, 1)}, x.element, zero));
    SmallVector<Tensor> done =
        overSteps(d, inputGates, lengths, y, state, [&](Tensors &t, Tensor gatesNow, ArrayRef<Tensor> before) {
          if (!attention)
            return cell(d, p, t, gatesNow, before);
          Tensor found = timesFactor(op, t.b, before.back(), fromMemory);
          SmallVector<Tensor> after = cell(d, p, t, sumOf(t, {gatesNow, found}), before.drop_back());
          Op here(op.conversion, op.node, t.b);
          after.push_back(attention->of(here, after.front()));
          return after;
        });
    y = done[0];
    for (unsigned i = 0; i < stateCount; ++i)
      last[i].push_back(op.unsqueeze(done[1 + i], {batchFirst ? 1 : 0}));
  }
  SmallVector<Tensor> results{batchFirst ? op.transpose(y, {2, 0, 1, 3}) : y};
  for (ArrayRef<Tensor> states : last)
    results.push_back(op.concat(states, batchFirst ? 1 : 0));
  results.resize(op.outputCount());
  return op.results(results);
}
} // namespace

/// What fits, for `gates` gates a cell; with other R and W than ONNX's, which have no layout.
static std::string ruleFor(StringRef gates, StringRef more = "", StringRef factors = "") {
  auto plainOr = [&](StringRef stepsFirst, StringRef batchFirst) {
    return (factors.empty() ? stepsFirst + "|{layout=1}" + batchFirst + " " : stepsFirst + " ").str();
  };
  std::string own =
      factors.empty() ? ("layout=0|1 R[D," + gates + "*H,H] W[D," + gates + "*H,I] ").str() : factors.str();
  std::string cell = more.empty() ? "" : "initial_c" + plainOr("[D,N,H]", "[N,D,H]") + more.str();
  return "X" + plainOr("[S,N,I]", "[N,S,I]") + own + "B[D,2*" + gates.str() + "*H] sequence_lens[N] initial_h" +
         plainOr("[D,N,H]", "[N,D,H]") + cell +
         "hidden_size=H direction=forward|reverse|bidirectional {direction=bidirectional}D=2 "
         "{direction!=bidirectional}D=1";
}

void register_recurrent(Registry &registry) {
  const char *lstm = "P[D,3*H] input_forget=0|1 ";
  registry.onOp("LSTM", {1, 7, 14, 22}, ruleFor("4", lstm),
                [](Op &op) { return lowerRecurrent(op, 4, {"Sigmoid", "Tanh", "Tanh"}, lstmCell); });
  registry.onOp(
      "DynamicQuantizeLSTM", {1},
      ruleFor("4", lstm,
              "R[D,H,4*H] W[D,I,4*H] W_scale[D]|[D,1|4*H] R_scale[D]|[D,1|4*H] W_zero_point[D]|[D,1|4*H] "
              "R_zero_point[D]|[D,1|4*H] "),
      [](Op &op) { return lowerRecurrent(op, 4, {"Sigmoid", "Tanh", "Tanh"}, lstmCell, true); }, "com.microsoft");
  registry.onOp(
      "AttnLSTM", {1},
      "has(QW)=1 has(MW)=1 has(V)=1 has(M)=1 M[N,_,E] AW[D,E+H,Z] {has(AW)=0}Z=E X[S,N,I] R[D,4*H,H] W[D,4*H,I+Z] "
      "B[D,8*H] sequence_lens[N] initial_h[D,N,H] initial_c[D,N,H] P[D,3*H] QW[D,H,A] MW[D,E,A] V[D,A] "
      "memory_seq_lens[N] hidden_size=H direction=forward|reverse|bidirectional {direction=bidirectional}D=2 "
      "{direction!=bidirectional}D=1 input_forget=0|1",
      [](Op &op) { return lowerRecurrent(op, 4, {"Sigmoid", "Tanh", "Tanh"}, lstmCell, false, true); },
      "com.microsoft");
  registry.onOp("GRU", {1, 3, 7, 14, 22}, ruleFor("3") + " linear_before_reset=0|1",
                [](Op &op) { return lowerRecurrent(op, 3, {"Sigmoid", "Tanh"}, gruCell); });
  registry.onOp("RNN", {1, 7, 14, 22}, ruleFor("1"), [](Op &op) { return lowerRecurrent(op, 1, {"Tanh"}, rnnCell); });
}

} // namespace sinter
