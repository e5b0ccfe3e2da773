// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random loops of row tiles: run where the planner puts their maps, they read what they would read from memory apart;
// one byte nearer they do not, and the checker says so.
#include "memory/loop_order.h"

#include "ir/dialect.h"
#include "memory/passes.h"
#include "pipeline/dialects.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <doctest/doctest.h>

#include <random>

using namespace mlir;
using namespace sinter;

namespace {

/// Tile s reads `extent` rows of the input from s * stride - pad on, perhaps one more row `behind` those, and then
/// writes output row s - late; as far as there are such rows.
struct RowTiles {
  int64_t rows, rowBytes, inRowBytes, planes, stride, extent, pad, late, behind;

  int64_t inRows() const { return rows * stride; }
  std::pair<int64_t, int64_t> reads(int64_t s) const { // first row, count
    int64_t first = std::clamp<int64_t>(s * stride - pad, 0, inRows());
    return {first, std::clamp<int64_t>(s * stride - pad + extent, first, inRows()) - first};
  }
  int64_t residual(int64_t s) const { return std::clamp<int64_t>(s * stride - behind, 0, inRows() - 1); }
  std::pair<int64_t, int64_t> writes(int64_t s) const { return {std::max<int64_t>(s - late, 0), s >= late ? 1 : 0}; }

  std::string text() const {
    return llvm::formatv(R"(
#bounded = affine_map<(s) -> (s * {4} - {6}, 0)>
#first = affine_map<(s) -> (s, {9})>
#after = affine_map<(s) -> (s * {4} - {6} + {5}, {9})>
#count = affine_map<(a, b) -> (b - a, 0)>
#behind = affine_map<(s) -> (s * {4} - {8}, 0)>
#within = affine_map<(s) -> (s, {9} - 1)>
#row = affine_map<(s) -> (s - {7}, 0)>
#one = affine_map<(s) -> (s - {7} + 1, 0)>
#most = affine_map<(s) -> (s, 1)>
module {{
  func.func @main(%x: memref<{3}x{9}x{2}xi8>, %y: memref<{0}x{1}xi8>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.constant {10} : index
    %a = memref.alloc() : memref<{3}x{9}x{2}xi8>
    %b = memref.alloc() : memref<{0}x{1}xi8>
    sinter.kernel "f" ins(%x : memref<{3}x{9}x{2}xi8>) outs(%a : memref<{3}x{9}x{2}xi8>)
    scf.for %s = %c0 to %end step %c1 {{
      %t = memref.alloc() : memref<{1}xi8>
      %low = affine.max #bounded(%s)
      %from = affine.min #first(%low)
      %to = affine.min #after(%s)
      %n = affine.max #count(%from, %to)
      %in = memref.subview %a[0, %from, 0] [{3}, %n, {2}] [1, 1, 1] : memref<{3}x{9}x{2}xi8> to memref<{3}x?x{2}xi8, strided<[{11}, {2}, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<{3}x?x{2}xi8, strided<[{11}, {2}, 1], offset: ?>>) outs(%t : memref<{1}xi8>)
      %r0 = affine.max #behind(%s)
      %r = affine.min #within(%r0)
      %add = memref.subview %a[0, %r, 0] [1, 1, {2}] [1, 1, 1] : memref<{3}x{9}x{2}xi8> to memref<1x1x{2}xi8, strided<[{11}, {2}, 1], offset: ?>>
      %h = affine.max #row(%s)
      %k0 = affine.max #one(%s)
      %k = affine.min #most(%k0)
      %out = memref.subview %b[%h, 0] [%k, {1}] [1, 1] : memref<{0}x{1}xi8> to memref<?x{1}xi8, strided<[{1}, 1], offset: ?>>
      sinter.kernel "g" ins(%t, %add : memref<{1}xi8>, memref<1x1x{2}xi8, strided<[{11}, {2}, 1], offset: ?>>) outs(%out : memref<?x{1}xi8, strided<[{1}, 1], offset: ?>>)
    } {{sinter.row_tiles = "rows"}
    sinter.kernel "f" ins(%b : memref<{0}x{1}xi8>) outs(%y : memref<{0}x{1}xi8>)
    return
  }
})",
                         rows, rowBytes, inRowBytes, planes, stride, extent, pad, late, behind, inRows(), rows + late,
                         inRows() * inRowBytes)
        .str();
  }

  /// Whether every read finds the input, with the two maps at these bytes.
  bool works(int64_t in, int64_t out) const {
    const int64_t plane = inRows() * inRowBytes;
    std::vector<char> isInput(static_cast<size_t>(std::max(in + planes * plane, out + rows * rowBytes)));
    std::fill_n(isInput.begin() + in, planes * plane, 1);
    auto holds = [&](int64_t at, int64_t bytes) {
      return std::all_of(isInput.begin() + at, isInput.begin() + at + bytes, [](char each) { return each; });
    };
    for (int64_t s = 0; s < rows + late; ++s) {
      auto [first, count] = reads(s);
      for (int64_t p = 0; p < planes; ++p)
        if (!holds(in + p * plane + first * inRowBytes, count * inRowBytes))
          return false;
      auto [row, written] = writes(s); // the op reads its second operand while it writes
      std::fill_n(isInput.begin() + out + row * rowBytes, written * rowBytes, 0);
      if (!holds(in + residual(s) * inRowBytes, inRowBytes))
        return false;
    }
    return true;
  }
};

} // namespace

TEST_CASE("a loop's output lies over its input as far as its rows allow, and no further") {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  std::minstd_rand random(5);
  auto upTo = [&](int64_t most) { return static_cast<int64_t>(random() % static_cast<unsigned>(most + 1)); };
  Target target;
  target.alignment = 1;
  int over = 0, nearer = 0;
  for (int i = 0; i < 300; ++i) {
    RowTiles tiles{3 + upTo(6), 1 + upTo(20), 1 + upTo(20), 1 + upTo(2), 1 + upTo(1),
                   1 + upTo(3), upTo(2),      upTo(3),      upTo(4)};
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(tiles.text(), &context);
    REQUIRE(module);
    REQUIRE(succeeded(planMemory(*module, target, {})));
    REQUIRE(succeeded(checkPlan(*module, target, {})));
    SmallVector<ArenaOp> places;
    module->walk([&](ArenaOp op) { places.push_back(op); });
    int64_t in = static_cast<int64_t>(places[0].getOffset()), out = static_cast<int64_t>(places[1].getOffset());
    CAPTURE(i);
    CHECK(tiles.works(in, out));
    bool overlap =
        in < out + static_cast<int64_t>(places[1].getBytes()) && out < in + static_cast<int64_t>(places[0].getBytes());
    over += overlap;
    if (!overlap || tiles.works(in, out + 1))
      continue; // the packer had room
    ++nearer;
    places[1].setOffset(static_cast<uint64_t>(out + 1));
    for (ArenaOp other : llvm::drop_begin(places, 2)) // out of the way
      other.setOffset(100000);
    module->walk([](func::FuncOp f) { f->setAttr("sinter.arena_bytes", Builder(f).getI64IntegerAttr(200000)); });
    CHECK(failed(checkPlan(*module, target, {})));
  }
  CHECK(over > 200);
  CHECK(nearer > 100);
}
