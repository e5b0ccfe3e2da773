// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop nest that picks channels by a table reads and writes packed feature maps: a table says in which block a
// channel is, another one where in the block. Blocks of both sides may differ; what is made of a map in one block of
// all channels is in one block, too.
#include "relayout.h"

#include "blocked_layout.h"

#include "builders/sizes.h"
#include "passes/support/channel_gather.h"

using namespace mlir;

namespace sinter {
namespace {

struct RelayoutGather : OpRewritePattern<linalg::GenericOp> {
  RelayoutGather(MLIRContext *context, const Target &target) : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    EvaluationCache cache;
    std::optional<ChannelGather> gather =
        op.getNumResults() == 1 ? channelGather(op.getResult(0), cache) : std::nullopt;
    auto source = gather ? packedSource(gather->source) : std::nullopt;
    if (!source || source->second.axis != 1)
      return failure();
    Location loc = op.getLoc();
    auto channels = static_cast<int64_t>(gather->channels.size());
    int64_t block = source->second.block;
    bool isWhole = cast<ShapedType>(gather->source.getType()).getDimSize(1) == block;
    BlockedLayout layout{1, isWhole ? channels : channelBlock(target, channels)};

    SmallVector<int64_t> blocks, lanes;
    for (int64_t channel : gather->channels) {
      blocks.push_back(channel / block);
      lanes.push_back(channel % block);
    }
    auto table = [&](ArrayRef<int64_t> numbers) -> Value {
      auto type = RankedTensorType::get({channels / layout.block, layout.block}, rewriter.getI64Type());
      return rewriter.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, numbers));
    };
    SmallVector<Value> tables = {table(lanes)};
    if (!isWhole)
      tables.push_back(table(blocks));
    Value plain = op.getDpsInits()[0], init = emptyPacked(rewriter, loc, plain, layout);
    auto rank = static_cast<unsigned>(cast<ShapedType>(init.getType()).getRank());
    MLIRContext *context = getContext();
    SmallVector<AffineMap> maps(
        tables.size(),
        AffineMap::get(rank, 0, {getAffineDimExpr(1, context), getAffineDimExpr(rank - 1, context)}, context));
    maps.push_back(rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    auto made = rewriter.create<linalg::GenericOp>(
        loc, init.getType(), tables, init, maps, loops, [&](OpBuilder &b, Location at, ValueRange v) {
          auto number = [&](Value entry) -> Value { return b.create<arith::IndexCastOp>(at, b.getIndexType(), entry); };
          SmallVector<Value> index;
          for (unsigned d = 0; d + 1 < rank; ++d)
            index.push_back(d == 1 ? (isWhole ? b.create<arith::ConstantIndexOp>(at, 0) : number(v[1]))
                                   : b.create<linalg::IndexOp>(at, d).getResult());
          index.push_back(number(v[0]));
          b.create<linalg::YieldOp>(at, b.create<tensor::ExtractOp>(at, source->first, index).getResult());
        });
    Value empty = rewriter.create<tensor::EmptyOp>(loc, dimsOf(rewriter, loc, plain), getElementTypeOrSelf(plain));
    rewriter.replaceOp(op, unpacked(rewriter, loc, made.getResult(0), empty, layout));
    return success();
  }

  const Target &target;
};

} // namespace

void addRelayoutGatherPatterns(RewritePatternSet &patterns, const Target &target) {
  patterns.add<RelayoutGather>(patterns.getContext(), target);
}

} // namespace sinter
