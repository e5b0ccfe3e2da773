// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channels are kept in the order that spares copies. What only picks and orders channels (shuffles, slices, Gathers
// with constant indices) is read in place where the readers can take any order: a contraction's weights say which input
// is which channel. So that what is picked lies together, what makes a map is told to make it in another order, which
// is up to weights again. Of a unit that splits, computes on one half and joins and shuffles both, one copy stays: of
// the half that nobody computes on.
//
// Preconditions: whoever reads a map that changes can follow (weights known, elementwise with known numbers per
// channel, pools, concatenations of channels); sums are in another order then. A map without such readers stays.
#include "passes/passes.h"

#include "passes/algebra/support/channel_order.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <algorithm>

using namespace mlir;

namespace sinter {
namespace {

class MapOrderer {
public:
  MapOrderer(Value map, ChannelOrder &channels) : map(map), channels(channels) {}

  void run() {
    for (PickedChannels &reading : channels.readingsOf(map))
      (reading.value == map ? direct : picked).push_back(std::move(reading));
    auto gains = [&](const PickedChannels &reading) {
      return !isRange(reading.channels) && channels.isFree(reading.value);
    };
    if (llvm::none_of(picked, gains))
      return;
    chooseOrder();
    for (const PickedChannels &reading : channels.readingsOf(map))
      if (reading.value != map && channels.isFree(reading.value))
        channels.readInPlace(reading.value, {map, reading.channels});
  }

private:
  /// What is summed over should lie together: in the parts of a concatenation, at their ends that meet.
  void chooseOrder() {
    const PickedChannels *wanted = nullptr;
    for (const PickedChannels &reading : picked)
      if (channels.isFree(reading.value) && channels.isSummed(reading.value) &&
          (!wanted || reading.channels.size() > wanted->channels.size()))
        wanted = &reading;
    bool canChange = wanted && llvm::all_of(direct, [&](auto &reading) { return channels.isFree(reading.value); }) &&
                     llvm::all_of(picked, [&](auto &reading) {
                       return channels.isFree(reading.value) || !isRange(reading.channels);
                     });
    if (!canChange)
      return;
    DenseSet<int64_t> members(wanted->channels.begin(), wanted->channels.end());
    auto concat = map.getDefiningOp<tensor::ConcatOp>();
    SmallVector<Value> parts =
        concat && concat.getDim() == 1 ? SmallVector<Value>(concat.getInputs()) : SmallVector{map};
    SmallVector<int64_t> order;
    bool wantedFirst = false;
    for (Value part : parts) {
      auto own = llvm::to_vector(llvm::seq<int64_t>(0, cast<ShapedType>(part.getType()).getDimSize(1)));
      auto first = static_cast<int64_t>(order.size());
      if ((part == map || part.hasOneUse()) && channels.isMadeFreely(part)) {
        std::stable_partition(own.begin(), own.end(),
                              [&](int64_t c) { return members.contains(first + c) == wantedFirst; });
        channels.reorderMaker(part, own);
      }
      wantedFirst = !wantedFirst;
      for (int64_t c : own)
        order.push_back(first + c);
    }
    if (!isRange(order))
      channels.reorderReaders(map, order);
  }

  Value map;
  ChannelOrder &channels;
  SmallVector<PickedChannels> direct, picked;
};

} // namespace

LogicalResult orderChannels(ModuleOp module) {
  DenseSet<Value> sources;
  EvaluationCache cache;
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (std::optional<ChannelGather> gather = channelGather(result, cache))
        if (!channelGather(gather->source, cache))
          sources.insert(gather->source);
  });
  SmallVector<Value> maps; // none of them goes
  auto isSource = [&](Value value) { return sources.contains(value); };
  module.walk<WalkOrder::PreOrder>(
      [&](Block *block) { llvm::copy_if(block->getArguments(), std::back_inserter(maps), isSource); });
  module.walk([&](Operation *op) { llvm::copy_if(op->getResults(), std::back_inserter(maps), isSource); });
  ChannelOrder channels;
  for (Value map : maps)
    MapOrderer(map, channels).run();
  return success();
}

} // namespace sinter
