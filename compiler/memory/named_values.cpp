// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "named_values.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace sinter {
namespace {
constexpr StringLiteral valuesName = "sinter.named_values", readsName = "sinter.named_reads",
                        loopsName = "sinter.named_loops", leftName = "sinter.named_left";
}

void NamedValues::attachTo(func::FuncOp function) const {
  Builder builder(function.getContext());
  SmallVector<int64_t> flat;
  for (const Value &value : values)
    flat.append({static_cast<int64_t>(value.kind), value.a, value.b});
  function->setAttr(valuesName, builder.getDenseI64ArrayAttr(flat));
  SmallVector<Attribute> lists;
  for (const auto &list : reads)
    lists.push_back(builder.getDenseI64ArrayAttr(list));
  function->setAttr(readsName, builder.getArrayAttr(lists));
  lists.clear();
  for (const auto &[tag, carried] : loops) {
    SmallVector<int64_t> list{tag};
    list.append(carried);
    lists.push_back(builder.getDenseI64ArrayAttr(list));
  }
  function->setAttr(loopsName, builder.getArrayAttr(lists));
  flat.clear();
  for (const Final &one : left)
    flat.append({one.isState, one.index, one.value});
  function->setAttr(leftName, builder.getDenseI64ArrayAttr(flat));
}

std::optional<NamedValues> NamedValues::detachFrom(func::FuncOp function) {
  auto values = dyn_cast_or_null<DenseI64ArrayAttr>(function->removeAttr(valuesName));
  auto reads = dyn_cast_or_null<ArrayAttr>(function->removeAttr(readsName));
  auto loops = dyn_cast_or_null<ArrayAttr>(function->removeAttr(loopsName));
  auto left = dyn_cast_or_null<DenseI64ArrayAttr>(function->removeAttr(leftName));
  if (!values || !reads || !loops || !left)
    return std::nullopt;
  NamedValues names;
  ArrayRef<int64_t> flat = values.asArrayRef();
  for (size_t i = 0; i + 2 < flat.size(); i += 3)
    names.values.push_back({static_cast<Kind>(flat[i]), flat[i + 1], flat[i + 2]});
  for (auto list : reads.getAsRange<DenseI64ArrayAttr>())
    names.reads.emplace_back(list.asArrayRef());
  for (auto list : loops.getAsRange<DenseI64ArrayAttr>())
    names.loops[list.asArrayRef().front()] = llvm::to_vector(list.asArrayRef().drop_front());
  flat = left.asArrayRef();
  for (size_t i = 0; i + 2 < flat.size(); i += 3)
    names.left.push_back({flat[i] != 0, flat[i + 1], flat[i + 2]});
  return names;
}

Location withTag(Location location, int64_t tag) {
  MLIRContext *context = location.getContext();
  return FusedLoc::get({location}, IntegerAttr::get(IndexType::get(context), tag), context);
}

static FusedLoc tagged(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  return fused && isa_and_nonnull<IntegerAttr>(fused.getMetadata()) ? fused : FusedLoc();
}

std::optional<int64_t> tagOf(Operation *op) {
  FusedLoc fused = tagged(op->getLoc());
  return fused ? std::optional(cast<IntegerAttr>(fused.getMetadata()).getInt()) : std::nullopt;
}

Location withoutTag(Location location) {
  FusedLoc fused = tagged(location);
  return fused ? fused.getLocations().front() : location;
}

} // namespace sinter
