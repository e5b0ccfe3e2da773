// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The estimate: an op takes as long as its work at the rate of the target's vectors, or as the feature maps that L2
// does not hold at the rate of what lies behind it, whichever is longer (they are fetched ahead while work goes on).
// Dynamic programming over where to cut.
#include "stripe_choice.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr double cyclesPerStripeStep = 400; // a call, and borders of tiles
constexpr double leastShare = 0.03;         // of the work: so much may calls take where memory is the gain
constexpr double leastGain = 1.1;           // by estimate, which is rough

double workCycles(const ChainStep &step, const StripeGoal &goal) {
  return double(step.work) / (1.2 * double(goal.lanes));
}

/// Reading what the chain hands to step `first` and writing what step `last` hands on, where L2 does not hold it.
double trafficCycles(ArrayRef<ChainStep> chain, size_t first, size_t last, const StripeGoal &goal) {
  auto cycles = [&](int64_t bytes) {
    return goal.cacheBytes && bytes > goal.cacheBytes / 2 ? double(bytes) / double(goal.bytesPerCycle) : 0;
  };
  return (first > 0 ? cycles(chain[first - 1].outputBytes) : 0) + cycles(chain[last].outputBytes);
}

double plainCycles(ArrayRef<ChainStep> chain, size_t i, const StripeGoal &goal) {
  return std::max(workCycles(chain[i], goal), trafficCycles(chain, i, i, goal));
}

Segment single(ArrayRef<ChainStep> chain, size_t i, const StripeGoal &goal, LiveBytes live) {
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
  reach.back() = begin + segment.rows;
  for (size_t i = reach.size() - 1; i-- > 0;) {
    const ChainStep &step = chain[segment.first + i];
    for (const RowReader &reader : step.readers)
      reach[i] =
          std::max(reach[i], (reach[reader.step - segment.first] - 1) * reader.stride - reader.pad + reader.extent);
    reach[i] = std::min(reach[i], step.rows);
  }
  return reach;
}

/// As many stripes ahead, no step makes more rows in the first stripe than in any other: a step whose reader needs
/// several rows for its first one makes them one after the other.
int64_t leadOf(ArrayRef<ChainStep> chain, const Segment &segment) {
  std::vector<int64_t> at = reachOf(chain, segment, 0), before = reachOf(chain, segment, -segment.rows);
  int64_t lead = 0;
  for (auto [now, past] : llvm::zip(at, before))
    if (int64_t grows = now - past; grows > 0) // else the map is whole by then
      lead = std::max(lead, (now + grows - 1) / grows - 1);
  return lead;
}

/// Nullopt where the stripes would not serve the goal.
std::optional<Segment> fused(ArrayRef<ChainStep> chain, size_t first, size_t last, int64_t rows, const StripeGoal &goal,
                             LiveBytes live) {
  ArrayRef<ChainStep> steps = chain.slice(first, last - first + 1);
  Segment segment;
  segment.first = first;
  segment.last = last;
  segment.rows = rows;
  segment.lead = goal.leastMemory ? leadOf(chain, segment) : 0;
  segment.stripes = segment.lead + llvm::divideCeil(chain[last].rows, rows);
  std::vector<int64_t> most(steps.size());
  for (const auto &stripe : stripeRows(chain, segment))
    for (size_t i = 0; i < steps.size(); ++i)
      most[i] = std::max(most[i], stripe[i].end - stripe[i].low);
  double work = 0;
  int64_t weights = 0;
  for (auto [step, window] : llvm::zip(steps, most)) {
    if (&step != &steps.back())
      segment.stripeBytes += step.outputBytes / step.rows * window;
    work += workCycles(step, goal);
    weights += step.weightBytes;
  }
  double traffic = trafficCycles(chain, first, last, goal);
  if (goal.cacheBytes && weights + segment.stripeBytes > goal.cacheBytes)
    traffic += double(weights) * double(segment.stripes) / double(goal.bytesPerCycle);
  segment.cycles = std::max(work, traffic) + cyclesPerStripeStep * double(segment.stripes) * double(steps.size());
  for (size_t i = first; i <= last; ++i)
    segment.plainCycles += plainCycles(chain, i, goal);
  segment.liveBytes = live(steps.front().position, steps.back().position) + segment.stripeBytes;
  bool isFaster = goal.threads == 1 && segment.stripeBytes <= goal.cacheBytes * 3 / 4 &&
                  segment.cycles * leastGain < segment.plainCycles;
  // A copy or quantization and its reader: without a cache behind, rows in between cost nothing but calls, and the map
  // that is not made is memory.
  double calls = cyclesPerStripeStep * double(segment.stripes) * double(steps.size());
  if (goal.cacheBytes == 0 && last == first + 1 && steps.front().isElementwise && calls < work * leastShare) {
    segment.cycles = segment.plainCycles * 0.99 + double(segment.stripeBytes) * 1e-3; // the fewer rows the better
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

/// All ways to take steps first .. last as one.
std::vector<Segment> candidates(ArrayRef<ChainStep> chain, size_t first, size_t last, const StripeGoal &goal,
                                LiveBytes live) {
  if (first == last)
    return {single(chain, first, goal, live)};
  std::vector<Segment> all;
  if (!isClosed(chain, first, last))
    return all;
  int64_t height = chain[last].rows;
  for (int64_t rows = 1; rows < height; ++rows)
    if (height % rows == 0) // stripes of one size: sizes in the code are constants
      if (std::optional<Segment> segment = fused(chain, first, last, rows, goal, live))
        all.push_back(*segment);
  return all;
}

/// The segments with the least of what `cost` says, summed up by `add`.
template <class Cost, class Add>
std::vector<Segment> cheapest(ArrayRef<ChainStep> chain, const StripeGoal &goal, LiveBytes live, Cost cost, Add add) {
  constexpr size_t longest = 24; // bounds the time
  std::vector<double> best(chain.size() + 1, std::numeric_limits<double>::infinity());
  std::vector<Segment> by(chain.size() + 1);
  best[0] = 0;
  for (size_t end = 1; end <= chain.size(); ++end)
    for (size_t first = end > longest ? end - longest : 0; first < end; ++first)
      for (const Segment &segment : candidates(chain, first, end - 1, goal, live))
        if (double total = add(best[first], cost(segment)); total < best[end]) {
          best[end] = total;
          by[end] = segment;
        }
  std::vector<Segment> chosen;
  if (std::isinf(best.back()))
    return chosen;
  for (size_t end = chain.size(); end > 0; end = by[end].first)
    chosen.insert(chosen.begin(), by[end]);
  return chosen;
}

} // namespace

StripeGoal StripeGoal::of(ModuleOp module) {
  StripeGoal goal;
  auto read = [&](StringRef name, int64_t &number) {
    if (auto attribute = module->getAttrOfType<IntegerAttr>(name))
      number = attribute.getInt();
  };
  if (auto fit = module->getAttrOfType<StringAttr>("sinter.fit"))
    goal.leastMemory = fit.getValue() == "ram";
  read("sinter.l2_bytes", goal.cacheBytes);
  read("sinter.bytes_per_cycle", goal.bytesPerCycle);
  read("sinter.vector_lanes", goal.lanes);
  if (goal.cacheBytes == 0)
    goal.lanes = 1; // a microcontroller
  read("sinter.threads", goal.threads);
  return goal;
}

std::vector<std::vector<StripeRows>> stripeRows(ArrayRef<ChainStep> chain, const Segment &segment) {
  std::vector<std::vector<StripeRows>> all;
  for (int64_t begin = -segment.lead * segment.rows; begin < chain[segment.last].rows; begin += segment.rows) {
    std::vector<int64_t> reach = reachOf(chain, segment, begin);
    std::vector<StripeRows> stripe(reach.size());
    for (size_t i = reach.size(); i-- > 0;) {
      const ChainStep &step = chain[segment.first + i];
      StripeRows &rows = stripe[i];
      rows.low = rows.end = std::max<int64_t>(reach[i], 0);
      for (const RowReader &reader : step.readers) {
        if (reader.step > segment.last)
          continue; // of the last step's result
        int64_t first = stripe[reader.step - segment.first].first * reader.stride - reader.pad;
        rows.low = std::min(rows.low, std::max<int64_t>(first, 0));
      }
      if (i + 1 == reach.size())
        rows.low = std::max<int64_t>(begin, 0);
      rows.first = std::max(all.empty() ? 0 : all.back()[i].end, rows.low);
    }
    all.push_back(std::move(stripe));
  }
  return all;
}

int64_t leastLiveBytes(ArrayRef<ChainStep> chain, const StripeGoal &goal, LiveBytes live) {
  auto largest = [](double a, double b) { return std::max(a, b); };
  int64_t least = 0;
  for (const Segment &segment :
       cheapest(chain, goal, live, [](const Segment &s) { return double(s.liveBytes); }, largest))
    least = std::max(least, segment.liveBytes);
  return least;
}

std::vector<Segment> chooseSegments(ArrayRef<ChainStep> chain, const StripeGoal &goal, LiveBytes live, int64_t limit) {
  auto cost = [&](const Segment &segment) {
    bool fits = !goal.leastMemory || segment.liveBytes <= limit;
    return fits ? segment.cycles : std::numeric_limits<double>::infinity();
  };
  return cheapest(chain, goal, live, cost, [](double a, double b) { return a + b; });
}

} // namespace sinter
