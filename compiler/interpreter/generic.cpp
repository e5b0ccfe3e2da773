// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structured ops of linalg, named ones and generics alike: all are a loop nest, an indexing map per operand and a
// scalar body. Three ways through, fastest first: data movement (movement.cpp), a register program along one
// parallel loop, one point at a time.
#include "loop_nest.h"

#include "ir/dialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Loops that may be walked as one: all parallel, and every operand steps over them evenly.
void mergeLoops(LoopNest &nest) {
  for (size_t i = 0; i + 1 < nest.extents.size();) {
    bool mergeable = nest.parallel[i] && nest.parallel[i + 1];
    for (const Access &access : nest.accesses)
      mergeable &= access.strides[i] == access.strides[i + 1] * nest.extents[i + 1];
    if (!mergeable) {
      ++i;
      continue;
    }
    nest.extents[i] *= nest.extents[i + 1];
    nest.extents.erase(nest.extents.begin() + i + 1);
    nest.parallel.erase(nest.parallel.begin() + i + 1);
    for (Access &access : nest.accesses)
      access.strides.erase(access.strides.begin() + i);
  }
}

/// The loop whose iterations become lanes: parallel, the last one unless it is short. -1 when there is none.
int lanesLoop(const LoopNest &nest) {
  int best = -1;
  for (int i = static_cast<int>(nest.extents.size()) - 1; i >= 0; --i)
    if (nest.parallel[i] && (best < 0 || (nest.extents[best] < 16 && nest.extents[i] > nest.extents[best])))
      best = i;
  return best;
}

class Runner {
public:
  Runner(LoopNest &nest, Program &program, int lanesLoop) : nest(nest), program(program), lanes(lanesLoop) {}

  /// Sums of float32 are carried in double: one after the other they would lose a bit for each doubling of their
  /// number.
  bool run(Block &body) {
    position.assign(nest.extents.size(), 0);
    if (llvm::is_contained(nest.extents, 0))
      return true;
    bool reduces = llvm::is_contained(nest.parallel, false) && nest.accesses.size() == body.getNumArguments();
    sums.resize(nest.outputCount);
    for (auto [i, output] : llvm::enumerate(nest.outputs()))
      if (reduces && program.addend(i) && output.linear) {
        auto *values = reinterpret_cast<const float *>(output.data);
        sums[i].assign(values, values + output.tensor.size());
        output.used = false;
      }
    if (!loop(0))
      return false;
    for (auto [output, sum] : llvm::zip_equal(nest.outputs(), sums))
      llvm::transform(sum, reinterpret_cast<float *>(const_cast<char *>(output.data)),
                      [](double value) { return static_cast<float>(value); });
    return true;
  }

private:
  bool loop(size_t depth) {
    if (depth == nest.extents.size())
      return line();
    if (static_cast<int>(depth) == lanes)
      return loop(depth + 1);
    for (int64_t i = 0; i < nest.extents[depth]; ++i) {
      position[depth] = i;
      if (!loop(depth + 1))
        return false;
    }
    return true;
  }

  /// All iterations of the lanes loop, in pieces.
  bool line() {
    int64_t extent = lanes < 0 ? 1 : nest.extents[lanes];
    for (int64_t start = 0; start < extent; start += static_cast<int64_t>(program.capacity())) {
      size_t n = std::min<size_t>(program.capacity(), static_cast<size_t>(extent - start));
      if (lanes >= 0)
        position[lanes] = start;
      for (auto [i, access] : llvm::enumerate(nest.accesses))
        if (access.used && !load(access, program.argument(i), n))
          return false;
      for (auto [dim, reg] : program.positions()) {
        auto *values = reinterpret_cast<int64_t *>(reg);
        bool moving = static_cast<int>(dim) == lanes;
        for (size_t k = 0; k < n; ++k)
          values[k] = position[dim] + (moving ? static_cast<int64_t>(k) : 0);
      }
      if (!program.run(n))
        return false;
      for (auto [i, output] : llvm::enumerate(nest.outputs()))
        if (sums[i].empty())
          store(output, program.result(i), n);
        else
          add(output, reinterpret_cast<const float *>(program.addend(i)), sums[i], n);
    }
    return true;
  }

  bool load(const Access &access, char *reg, size_t n) {
    size_t bytes = access.tensor.bytesPerElement();
    if (!access.linear)
      return loadMapped(access, reg, n);
    const char *from = access.data + access.offsetAt(position) * static_cast<int64_t>(bytes);
    int64_t stride = lanes < 0 ? 0 : access.strides[lanes];
    if (stride == 1)
      std::memcpy(reg, from, n * bytes);
    else
      copyStrided(access.tensor.kind(), {static_cast<int64_t>(n)}, reg, {1}, from, {stride});
    return true;
  }

  bool loadMapped(const Access &access, char *reg, size_t n) {
    size_t bytes = access.tensor.bytesPerElement();
    SmallVector<int64_t> point = position;
    for (size_t k = 0; k < n; ++k, reg += bytes) {
      std::optional<int64_t> offset = access.mappedOffset(point);
      if (!offset)
        return false;
      std::memcpy(reg, access.data + *offset * static_cast<int64_t>(bytes), bytes);
      if (lanes >= 0)
        ++point[lanes];
    }
    return true;
  }

  void store(const Access &access, const char *reg, size_t n) {
    size_t bytes = access.tensor.bytesPerElement();
    char *to = const_cast<char *>(access.data) + access.offsetAt(position) * static_cast<int64_t>(bytes);
    int64_t stride = lanes < 0 ? 0 : access.strides[lanes];
    if (stride == 1)
      return void(std::memcpy(to, reg, n * bytes));
    for (size_t k = 0; k < n; ++k)
      std::memcpy(to + static_cast<int64_t>(k) * stride * static_cast<int64_t>(bytes), reg + k * bytes, bytes);
  }

  void add(const Access &access, const float *addend, MutableArrayRef<double> sum, size_t n) {
    int64_t offset = access.offsetAt(position), stride = lanes < 0 ? 0 : access.strides[lanes];
    for (size_t k = 0; k < n; ++k, offset += stride)
      sum[static_cast<size_t>(offset)] += static_cast<double>(addend[k]);
  }

  LoopNest &nest;
  Program &program;
  int lanes;
  SmallVector<int64_t> position;
  std::vector<std::vector<double>> sums; ///< per output, in its order; empty where nothing is summed up
};

/// Bodies with control flow, strings or kernels' types: each point interprets the block.
bool runPointwise(Engine &engine, LoopNest &nest, Block &body, SmallVector<int64_t> &point, size_t depth) {
  if (depth < nest.extents.size()) {
    for (int64_t i = 0; i < nest.extents[depth]; ++i) {
      point[depth] = i;
      if (!runPointwise(engine, nest, body, point, depth + 1))
        return false;
    }
    return true;
  }
  SmallVector<int64_t> offsets;
  Engine::Tensors arguments, results;
  for (auto [i, access] : llvm::enumerate(nest.accesses)) {
    std::optional<int64_t> offset = access.linear ? std::optional(access.offsetAt(point)) : access.mappedOffset(point);
    if (!offset)
      return engine.refuse();
    offsets.push_back(*offset);
    if (i < body.getNumArguments())
      arguments.push_back(elementAt(access.tensor, *offset));
  }
  engine.positions.push_back(point);
  bool done = engine.runBlock(body, arguments, results);
  engine.positions.pop_back();
  if (!done)
    return false;
  size_t first = nest.accesses.size() - nest.outputCount;
  for (size_t i = 0; i < nest.outputCount; ++i)
    setElement(nest.accesses[first + i].tensor, offsets[first + i], results[i]);
  return true;
}

} // namespace

bool sinter::runNest(Engine &engine, LoopNest &nest, Block &body) {
  if (!engine.spend(nest.points() * static_cast<int64_t>(body.getOperations().size())))
    return false;
  Program *program = nest.hasStrings() ? nullptr : engine.programFor(&body, 256);
  if (!program) {
    SmallVector<int64_t> point(nest.extents.size(), 0);
    return runPointwise(engine, nest, body, point, 0);
  }
  if (!program->bind(engine))
    return false;
  if (program->positions().empty() && nest.isLinear())
    mergeLoops(nest);
  return Runner(nest, *program, lanesLoop(nest)).run(body) || engine.refuse();
}

bool sinter::runStructured(Engine &engine, Operation *operation) {
  auto op = cast<linalg::LinalgOp>(operation);
  Block &body = *op.getBlock();
  std::optional<LoopNest> nest = LoopNest::make(engine, op);
  if (!nest)
    return false;
  if (nest->isMovement(body)) {
    if (!engine.spend(nest->points()) || !nest->prepareOutputs(engine, op, /*readsOutputs=*/false))
      return false;
    nest->move(body);
    return nest->finish(engine, op);
  }
  for (auto [i, access] : llvm::enumerate(nest->accesses)) // linalg.map's body has no arguments for its outputs
    access.used = i < body.getNumArguments() && !body.getArgument(i).use_empty();
  bool readsOutputs = llvm::any_of(nest->outputs(), [](const Access &access) { return access.used; });
  return nest->prepareOutputs(engine, op, readsOutputs) && runNest(engine, *nest, body) && nest->finish(engine, op);
}
