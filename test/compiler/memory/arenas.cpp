// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas as attributes and as structs, and which of them a type means.
#include "memory/arenas.h"

#include "pipeline/dialects.h"

#include "mlir/IR/BuiltinOps.h"
#include <doctest/doctest.h>

using namespace mlir;
using namespace sinter;

namespace {

struct Program {
  Program() : context(makeRegistry()), module(ModuleOp::create(UnknownLoc::get(&context))) {
    context.loadAllAvailableDialects();
  }
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }
  SpaceAttr space(MemoryKind kind, StringRef region = "") {
    return SpaceAttr::get(&context, kind, region.empty() ? StringAttr() : StringAttr::get(&context, region));
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_CASE("where nothing is stated the host has one arena") {
  Program program;
  std::vector<Arena> arenas = arenasOf(*program.module);
  REQUIRE(arenas.size() == 1);
  CHECK(arenas[0].space == MemoryKind::Host);
  CHECK(arenas[0].bytes == 0);
  (*program.module)->setAttr("sinter.arena_bytes", Builder(&program.context).getI64IntegerAttr(96));
  CHECK(arenasOf(*program.module)[0].bytes == 96);
}

TEST_CASE("what is stated is read again, the host before others") {
  Program program;
  Arena device{MemoryKind::Device, "near", 4096, 256, 512, 1024, 768};
  setArenas(*program.module, {device});
  std::vector<Arena> arenas = arenasOf(*program.module);
  REQUIRE(arenas.size() == 2);
  CHECK(arenas[0].space == MemoryKind::Host);
  CHECK(arenas[1].space == MemoryKind::Device);
  CHECK(arenas[1].name == "near");
  CHECK(arenas[1].limit == 4096);
  CHECK(arenas[1].alignment == 256);
  CHECK(arenas[1].begin == 512);
  CHECK(arenas[1].bytes == 1024);
  CHECK(arenas[1].needed == 768);
}

TEST_CASE("a space without a region is its first arena") {
  Program program;
  std::vector<Arena> arenas = {{MemoryKind::Host, "fast"}, {MemoryKind::Device, ""}, {MemoryKind::Host, "slow"}};
  CHECK(findArena(arenas, program.space(MemoryKind::Host)) == 0);
  CHECK(findArena(arenas, program.space(MemoryKind::Host, "fast")) == 0);
  CHECK(findArena(arenas, program.space(MemoryKind::Host, "slow")) == 2);
  CHECK(findArena(arenas, program.space(MemoryKind::Device)) == 1);
  CHECK_FALSE(findArena(arenas, program.space(MemoryKind::Device, "fast")));
  CHECK_FALSE(findArena(arenas, program.space(MemoryKind::Shared)));
  CHECK(spaceOf(arenas, 0, &program.context) == program.space(MemoryKind::Host));
  CHECK(spaceOf(arenas, 1, &program.context) == program.space(MemoryKind::Device));
  CHECK(spaceOf(arenas, 2, &program.context) == program.space(MemoryKind::Host, "slow"));
}

TEST_CASE("a type without a space is the host's") {
  Program program;
  auto plain = MemRefType::get({4}, Float32Type::get(&program.context));
  SpaceAttr host = program.space(MemoryKind::Host), device = program.space(MemoryKind::Device);
  CHECK(spaceOf(plain) == host);
  CHECK(spaceOf(MemRefType::get({4}, plain.getElementType(), MemRefLayoutAttrInterface(), host)) == host);
  CHECK(spaceOf(inSpace(plain, device)) == device);
  CHECK(inSpace(inSpace(plain, device), host) == plain);
  SpaceAttr slow = program.space(MemoryKind::Host, "slow");
  CHECK(spaceOf(inSpace(plain, slow)) == slow);
}
