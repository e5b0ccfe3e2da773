// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The estimate: an op takes as long as its work at the rate of the target's vectors, or as the feature maps that L2
// does not hold at the rate of what lies behind it, whichever is longer (they are fetched ahead while work goes on).
// Work depends on how many rows a kernel gets at once. Dynamic programming over where to cut.
#include "row_tile_choice.h"

#include "map_lifetimes.h"

#include "kernels/cycles.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mlir;

namespace sinter {
namespace {

constexpr double leastShare = 0.03;       // of the work: so much may calls take where memory is the gain
constexpr double leastGainOfTiling = 1.1; // by estimate, which is rough

/// One call that makes `rows` rows of a step.
double callCycles(const ChainStep &step, int64_t rows, const KernelCosts &kernels) {
  if (rows <= 0)
    return 0;
  double work = double(step.work) / double(step.rows) * double(rows) * kernels.perMac;
  if (kernels.inPairs && step.width && !step.depthwise) {
    int64_t used = rows * llvm::alignTo(step.width, 2);
    if (step.extent == 1 && step.stride == 1) // on over the ends of rows
      used = static_cast<int64_t>(llvm::alignTo(rows * step.width, 2));
    else if (step.width % 2 && step.width < 16 && rows > 1) // below each other
      used = static_cast<int64_t>(llvm::alignTo(rows, 2)) * step.width;
    work *= double(used) / double(rows * step.width);
  }
  int64_t reread = std::max<int64_t>(step.extent - step.stride, 0) * step.inputRowElements;
  return work + kernels.perChannel * double(step.depthwise) + kernels.perRereadElement * double(reread);
}

/// Reading what the chain hands to step `first` and writing what step `last` hands on, where L2 does not hold it.
double trafficCycles(ArrayRef<ChainStep> chain, size_t first, size_t last, const RowTilingGoal &goal) {
  auto cycles = [&](int64_t bytes) {
    return goal.cacheBytes && bytes > goal.cacheBytes / 2 ? double(bytes) / double(goal.bytesPerCycle) : 0;
  };
  return (first > 0 ? cycles(chain[first - 1].outputBytes) : 0) + cycles(chain[last].outputBytes);
}

/// Cycles are those of all threads together, as if each had its share of what lies behind L2.
double plainCycles(ArrayRef<ChainStep> chain, size_t i, const RowTilingGoal &goal) {
  return std::max(callCycles(chain[i], chain[i].rows, goal.kernels), trafficCycles(chain, i, i, goal)) +
         goal.handOffCycles * double(goal.threads);
}

Segment single(ArrayRef<ChainStep> chain, size_t i, const RowTilingGoal &goal, LiveBytes live) {
  Segment segment;
  segment.first = segment.last = i;
  segment.cycles = segment.plainCycles = plainCycles(chain, i, goal);
  segment.liveBytes = live(chain[i].position, chain[i].position);
  return segment;
}

/// The row behind the last one that each step has made once the last step's rows up to begin + rows are to be made: at
/// most how many there are, and below 0 before its turn.
std::vector<int64_t> reachOf(ArrayRef<ChainStep> chain, const Segment &segment, int64_t begin) {
  std::vector<int64_t> reach(segment.last - segment.first + 1, std::numeric_limits<int64_t>::min());
  reach.back() = std::min(begin + segment.rows, chain[segment.last].rows);
  for (size_t i = reach.size() - 1; i-- > 0;) {
    const ChainStep &step = chain[segment.first + i];
    for (const RowReader &reader : step.readers)
      reach[i] =
          std::max(reach[i], (reach[reader.step - segment.first] - 1) * reader.stride - reader.pad + reader.extent);
    reach[i] = std::min(reach[i], step.rows);
  }
  return reach;
}

/// As many tiles ahead, no step makes more rows in the first tile than in any other: a step whose reader needs
/// several rows for its first one makes them one after the other.
int64_t leadOf(ArrayRef<ChainStep> chain, const Segment &segment) {
  std::vector<int64_t> at = reachOf(chain, segment, 0), before = reachOf(chain, segment, -segment.rows);
  int64_t lead = 0;
  for (auto [now, past] : llvm::zip(at, before))
    if (int64_t grows = now - past; grows > 0) // else the map is whole by then
      lead = std::max(lead, (now + grows - 1) / grows - 1);
  return lead;
}

/// What the last step makes lies over what the first one has read of its input, as memory/loop_order.h will find.
int64_t sharedBytes(ArrayRef<ChainStep> steps, ArrayRef<std::vector<TileRows>> tiles) {
  const ChainStep &reader = steps.front(), &writer = steps.back();
  if (!reader.endingInputBytes || writer.isReduction)
    return 0;
  int64_t distance = 0, behind = writer.outputBytes - writer.rows * writer.outputRowBytes;
  for (size_t t = 0; t + 1 < tiles.size(); ++t) {
    const TileRows &written = tiles[t].back(), &next = tiles[t + 1].front();
    int64_t needed = std::max<int64_t>(next.first * reader.stride - reader.pad, 0) * reader.inputRowBytes;
    if (written.end > written.first && next.first < reader.rows)
      distance = std::max(distance, behind + written.end * writer.outputRowBytes - needed);
  }
  return bytesShared(reader.endingInputBytes, writer.outputBytes, distance);
}

/// Nullopt where the tiles would not serve the goal.
std::optional<Segment> fusedSegment(ArrayRef<ChainStep> chain, size_t first, size_t last, int64_t rows,
                                    const RowTilingGoal &goal, LiveBytes live) {
  ArrayRef<ChainStep> steps = chain.slice(first, last - first + 1);
  Segment segment;
  segment.first = first;
  segment.last = last;
  segment.rows = rows;
  segment.lead = goal.leastMemory ? leadOf(chain, segment) : 0;
  segment.tiles = segment.lead + llvm::divideCeil(chain[last].rows, rows);
  if (!goal.leastMemory && !chain[last].isReduction) // whose output all tiles add to
    segment.bands = std::min(goal.threads, segment.tiles);
  segment.bands = llvm::divideCeil(segment.tiles, segment.tilesOfBand()); // none is empty
  std::vector<int64_t> most(steps.size());
  std::vector<bool> isCarried(steps.size());
  double work = 0;
  std::vector<std::vector<TileRows>> tiles = rowsOfTiles(chain, segment);
  for (const auto &tile : tiles)
    for (size_t i = 0; i < steps.size(); ++i) {
      most[i] = std::max(most[i], tile[i].end - tile[i].low);
      isCarried[i] = isCarried[i] || tile[i].first > tile[i].low;
      work += callCycles(steps[i], tile[i].end - tile[i].first, goal.kernels);
    }
  int64_t weights = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    int64_t bytes = 0; // while step i runs: windows that stay, and tiles that are still read
    for (size_t of = 0; of + 1 < steps.size(); ++of)
      if (isCarried[of] || (of <= i && steps[of].readers.back().step >= first + i))
        bytes += steps[of].outputBytes / steps[of].rows * most[of];
    segment.tileBytes = std::max(segment.tileBytes, bytes);
    weights += steps[i].weightBytes;
  }
  double traffic = trafficCycles(chain, first, last, goal);
  if (goal.cacheBytes && weights + segment.tileBytes > goal.cacheBytes)
    traffic += double(weights) * double(segment.tiles) / double(goal.bytesPerCycle);
  double calls = goal.kernels.perCall * double(segment.tiles) * double(steps.size());
  segment.cycles = std::max(work, traffic) + calls;
  double handOffs = double(segment.tiles) * double(steps.size()); // each kernel of a tile is shared, or
  if (segment.bands > 1) {                                        // threads that have fewer tiles wait for the others
    handOffs = 1;
    segment.cycles *= double(goal.threads * segment.tilesOfBand()) / double(segment.tiles);
  }
  segment.cycles += handOffs * goal.handOffCycles * double(goal.threads);
  for (size_t i = first; i <= last; ++i)
    segment.plainCycles += plainCycles(chain, i, goal);
  segment.liveBytes =
      live(steps.front().position, steps.back().position) + segment.tileBytes - sharedBytes(steps, tiles);
  bool isFaster =
      segment.tileBytes <= goal.cacheBytes * 3 / 4 && segment.cycles * leastGainOfTiling < segment.plainCycles;
  // A copy or quantization and its reader: without a cache behind, rows in between cost nothing but calls, and the map
  // that is not made is memory.
  if (goal.cacheBytes == 0 && last == first + 1 && steps.front().isElementwise &&
      segment.cycles < segment.plainCycles * (1 + leastShare)) {
    segment.cycles = segment.plainCycles * 0.99 + double(segment.tileBytes) * 1e-3; // the fewer rows the better
    return segment;
  }
  if (!isFaster && !goal.leastMemory)
    return std::nullopt;
  if (!isFaster) // taken for memory only: where that is not short, one op after the other is cheaper
    segment.cycles = std::max(segment.cycles, segment.plainCycles * 1.001);
  return segment;
}

/// Whether all that is made before the last step is read in here, by rows.
bool isClosed(ArrayRef<ChainStep> chain, size_t first, size_t last) {
  return llvm::all_of(chain.slice(first, last - first), [&](const ChainStep &step) {
    return !step.isReadElsewhere && !step.readers.empty() && step.readers.back().step <= last;
  });
}

/// How many rows a tile of a map may have. Of one size, so that sizes in the code are constants, but where memory
/// counts.
std::set<int64_t> tileHeights(int64_t height, const RowTilingGoal &goal) {
  constexpr int64_t mostUneven = 8;      // rows of tiles of which the last one is shorter
  constexpr int64_t mostTiles = 1 << 16; // each is gone through
  int64_t least = std::max<int64_t>(llvm::divideCeil(height, mostTiles), 1);
  std::set<int64_t> all;
  auto add = [&](int64_t rows) {
    if (rows >= least && rows < height)
      all.insert(rows);
  };
  for (int64_t divisor = 1; divisor <= height / divisor; ++divisor)
    if (height % divisor == 0) {
      add(divisor);
      add(height / divisor);
    }
  for (int64_t rows = 1; goal.leastMemory && rows <= mostUneven; ++rows)
    add(rows);
  return all;
}

/// All ways to take steps first .. last as one.
std::vector<Segment> candidates(ArrayRef<ChainStep> chain, size_t first, size_t last, const RowTilingGoal &goal,
                                LiveBytes live) {
  if (first == last)
    return {single(chain, first, goal, live)};
  std::vector<Segment> all;
  if (!isClosed(chain, first, last))
    return all;
  for (int64_t rows : tileHeights(chain[last].rows, goal))
    if (std::optional<Segment> segment = fusedSegment(chain, first, last, rows, goal, live))
      all.push_back(*segment);
  return all;
}

} // namespace

RowTilingGoal RowTilingGoal::of(const Target &target, Fit fit, Threads threads, const RowTilingBudget &budget) {
  RowTilingGoal goal;
  goal.leastMemory = fit == Fit::Ram || budget.bytes;
  goal.overlaps = !budget.mapsApart;
  goal.memoryLimit = budget.bytes.value_or(0);
  goal.cacheBytes = target.l2Kbytes * 1024;
  goal.bytesPerCycle = target.bytesPerCycle;
  goal.threads = threads.count;
  if (goal.threads > 1)
    goal.handOffCycles = target.machine.handoffMicroseconds * target.machine.clockGhz * 1e3;
  if (target.isMicrocontroller() && !budget.bytes)
    goal.mostWork = 1.15;
  if (target.costs)
    goal.kernels = *target.costs;
  else
    goal.kernels.perMac = cyclesPerMac(target);
  return goal;
}

std::vector<std::vector<TileRows>> rowsOfTiles(ArrayRef<ChainStep> chain, const Segment &segment) {
  std::vector<std::vector<TileRows>> all;
  for (int64_t begin = -segment.lead * segment.rows; begin < chain[segment.last].rows; begin += segment.rows) {
    std::vector<int64_t> reach = reachOf(chain, segment, begin);
    std::vector<TileRows> tile(reach.size());
    for (size_t i = reach.size(); i-- > 0;) {
      const ChainStep &step = chain[segment.first + i];
      TileRows &rows = tile[i];
      rows.low = rows.end = std::max<int64_t>(reach[i], 0);
      for (const RowReader &reader : step.readers) {
        if (reader.step > segment.last)
          continue; // of the last step's result
        int64_t first = tile[reader.step - segment.first].first * reader.stride - reader.pad;
        rows.low = std::min(rows.low, std::max<int64_t>(first, 0));
      }
      if (i + 1 == reach.size())
        rows.low = std::max<int64_t>(begin, 0);
      bool isFirst = segment.beginsBand(static_cast<int64_t>(all.size()));
      rows.first = std::max(isFirst ? 0 : all.back()[i].end, rows.low);
    }
    all.push_back(std::move(tile));
  }
  return all;
}

RowTilingChoice::RowTilingChoice(ArrayRef<ChainStep> chain, const RowTilingGoal &goal, LiveBytes live) {
  constexpr size_t longest = 24; // bounds the time
  for (size_t end = 1; end <= chain.size(); ++end) {
    std::vector<Segment> &ending = byEnd.emplace_back();
    for (size_t first = end > longest ? end - longest : 0; first < end; ++first)
      llvm::append_range(ending, candidates(chain, first, end - 1, goal, live));
  }
}

std::vector<Segment> RowTilingChoice::cheapest(function_ref<double(const Segment &)> cost,
                                               function_ref<double(double, double)> add) const {
  std::vector<double> best(byEnd.size() + 1, std::numeric_limits<double>::infinity());
  std::vector<const Segment *> by(byEnd.size() + 1);
  best[0] = 0;
  for (size_t end = 1; end < best.size(); ++end)
    for (const Segment &segment : byEnd[end - 1])
      if (double total = add(best[segment.first], cost(segment)); total < best[end]) {
        best[end] = total;
        by[end] = &segment;
      }
  std::vector<Segment> chosen;
  if (std::isinf(best.back()))
    return chosen;
  for (size_t end = byEnd.size(); end > 0; end = by[end]->first)
    chosen.insert(chosen.begin(), *by[end]);
  return chosen;
}

int64_t RowTilingChoice::leastBytes() const {
  int64_t least = 0;
  for (const Segment &segment : cheapest([](const Segment &s) { return double(s.liveBytes); },
                                         [](double a, double b) { return std::max(a, b); }))
    least = std::max(least, segment.liveBytes);
  return least;
}

int64_t RowTilingChoice::plainBytes() const {
  int64_t most = 0;
  for (const std::vector<Segment> &ending : byEnd)
    for (const Segment &segment : ending)
      most = segment.isFused() ? most : std::max(most, segment.liveBytes);
  return most;
}

std::vector<Segment> RowTilingChoice::within(int64_t limit) const {
  return cheapest(
      [&](const Segment &segment) {
        return segment.liveBytes <= limit ? segment.cycles : std::numeric_limits<double>::infinity();
      },
      [](double a, double b) { return a + b; });
}

int64_t leastLimit(ArrayRef<RowTilingChoice> choices, const RowTilingGoal &goal, int64_t least) {
  int64_t enough = least;
  for (const RowTilingChoice &choice : choices) {
    least = std::max(least, choice.leastBytes());
    enough = std::max(enough, choice.plainBytes());
  }
  auto isWithinWork = [&](int64_t limit) {
    double cycles = 0, plain = 0;
    for (const RowTilingChoice &choice : choices)
      for (const Segment &segment : choice.within(limit)) {
        cycles += segment.cycles;
        plain += segment.plainCycles;
      }
    return cycles <= goal.mostWork * plain;
  };
  while (least < enough) { // the higher the limit, the less work
    int64_t middle = least + (enough - least) / 2;
    if (isWithinWork(middle))
      enough = middle;
    else
      least = middle + 1;
  }
  return least;
}

} // namespace sinter
