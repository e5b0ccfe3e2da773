// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs over two memory spaces, one of them with regions: what lives together lies apart, each arena is what
// its buffers need, and the checker finds two buffers that are moved over each other.
#include "memory/arenas.h"
#include "memory/passes.h"
#include "pipeline/dialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <doctest/doctest.h>

#include <random>

using namespace mlir;
using namespace sinter;

namespace {

/// Step i makes buffer i of one or two of the buffers before it; nothing happens in place.
struct Steps {
  struct Buffer {
    int64_t bytes;
    bool onDevice;
    int64_t last; ///< step that reads it
  };
  std::vector<Buffer> buffers;
  std::vector<std::vector<size_t>> reads; ///< by step

  explicit Steps(std::minstd_rand &random) {
    for (size_t i = 0; i < 30; ++i) {
      buffers.push_back({static_cast<int64_t>(1 + random() % 2000), random() % 3 == 0, static_cast<int64_t>(i)});
      auto &read = reads.emplace_back();
      for (size_t n = i == 0 ? 0 : 1 + random() % 2; n > 0; --n)
        read.push_back(i - 1 - random() % std::min<size_t>(i, 5));
      for (size_t each : read)
        buffers[each].last = static_cast<int64_t>(i);
    }
  }

  std::string type(size_t i) const {
    return "memref<" + std::to_string(buffers[i].bytes) + "xi8" +
           (buffers[i].onDevice ? ", #sinter.space<device>>" : ">");
  }

  std::string text() const {
    std::string text =
        "module attributes {sinter.arenas = [{space = #sinter.space<host, \"fast\">, limit = 3000 : i64}, "
        "{space = #sinter.space<host, \"slow\">}, {space = #sinter.space<device>, alignment = 256 : i64}]} "
        "{\nfunc.func @main() {\n";
    for (size_t i = 0; i < buffers.size(); ++i)
      text += "%b" + std::to_string(i) + " = memref.alloc() : " + type(i) + "\n";
    for (size_t i = 0; i < buffers.size(); ++i) {
      std::string names, types;
      for (size_t each : reads[i]) {
        names += (names.empty() ? "%b" : ", %b") + std::to_string(each);
        types += (types.empty() ? "" : ", ") + type(each);
      }
      text += "sinter.kernel \"f\" ins(" + (names.empty() ? "" : names + " : " + types) + ") outs(%b" +
              std::to_string(i) + " : " + type(i) + ")\n";
    }
    return text + "return\n}\n}\n";
  }

  bool liveTogether(size_t a, size_t b) const { // a < b: b is made at step b
    return static_cast<int64_t>(b) <= buffers[a].last;
  }
};

bool overlap(ArenaOp a, ArenaOp b) {
  return spaceOf(a.getType()) == spaceOf(b.getType()) && a.getOffset() < b.getOffset() + b.getBytes() &&
         b.getOffset() < a.getOffset() + a.getBytes();
}

} // namespace

TEST_CASE("programs over two spaces, one of them with regions") {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  std::minstd_rand random(3);
  Target target;
  target.alignment = 16;
  int inFast = 0, inSlow = 0, onDevice = 0, found = 0;
  for (int round = 0; round < 60; ++round) {
    Steps steps(random);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(steps.text(), &context);
    REQUIRE(module);
    REQUIRE(succeeded(planMemory(*module, target, {})));
    REQUIRE(succeeded(checkPlan(*module, target, {})));
    SmallVector<ArenaOp> places;
    module->walk([&](ArenaOp op) { places.push_back(op); });
    REQUIRE(places.size() == steps.buffers.size());
    std::vector<Arena> arenas = arenasOf(*module->getOps<func::FuncOp>().begin());
    REQUIRE(arenas.size() == 3);
    CHECK(arenas[0].bytes <= 3000);
    CHECK(arenas[1].begin == arenas[0].bytes);
    CAPTURE(round);
    std::vector<int64_t> ends(arenas.size());
    for (auto [a, place] : llvm::enumerate(places)) {
      std::optional<unsigned> number = findArena(arenas, spaceOf(place.getType()));
      REQUIRE(number);
      CHECK((*number == 2) == steps.buffers[a].onDevice);
      CHECK(place.getOffset() % (*number == 2 ? 256 : 16) == 0);
      ends[*number] = std::max(ends[*number], static_cast<int64_t>(place.getOffset() + place.getBytes()));
      ++(*number == 0 ? inFast : *number == 1 ? inSlow : onDevice);
      for (size_t b = a + 1; b < places.size(); ++b)
        if (steps.liveTogether(a, b))
          REQUIRE_FALSE(overlap(place, places[b]));
    }
    for (auto [arena, end] : llvm::zip(arenas, ends)) {
      CHECK(end <= arena.bytes);
      CHECK(arena.bytes - end < 256); // the rest is alignment
      CHECK(arena.needed <= arena.bytes);
    }
    for (size_t b = 1; b < places.size(); ++b) // over what the step that makes it reads, or what is read later
      for (size_t a : steps.reads[b]) {
        if (spaceOf(places[a].getType()) != spaceOf(places[b].getType()) ||
            static_cast<int64_t>(places[a].getOffset() + places[b].getBytes()) >
                arenas[*findArena(arenas, spaceOf(places[a].getType()))].bytes)
          continue;
        uint64_t own = places[b].getOffset();
        places[b].setOffset(places[a].getOffset());
        CHECK(failed(checkPlan(*module, target, {})));
        places[b].setOffset(own);
        ++found;
      }
  }
  CHECK(inFast > 100);
  CHECK(inSlow > 100);
  CHECK(onDevice > 100);
  CHECK(found > 100);
}
