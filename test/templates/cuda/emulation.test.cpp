// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulation finds what it is there to find: each mistake that a GPU would forgive, or hang on, is an error here.
#include "device_test.h"

#include "templates/cuda/matrix_unit.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

emulation::Grid block(int threads, size_t sharedBytes = 1024) {
  emulation::Grid grid;
  grid.threads = threads;
  grid.sharedBytes = sharedBytes;
  return grid;
}

} // namespace

TEST_CASE("a shuffle exchanges words of lanes") {
  Tensor<uint32_t> out(64);
  CHECK(emulation::launch(block(64), [&] {
          out[size_t(threadIndex())] =
              shuffleXor(uint32_t(threadIndex()), 5) * 100 + shuffleFrom(uint32_t(threadIndex()), 3);
        }) == "");
  for (uint32_t i = 0; i < 64; ++i)
    CHECK(out[i] == (i ^ 5u) * 100 + i / 32 * 32 + 3);
}

void reverseBlock(Tensor<float> &out, bool waits) {
  CHECK(emulation::launch(block(64), [&] {
          float *const shared = sharedMemoryAs<float>();
          shared[threadIndex()] = float(threadIndex());
          if (waits)
            syncBlock();
          out[size_t(threadIndex())] = shared[63 - threadIndex()];
        }) == "");
}
TEST_CASE("a barrier makes writes seen") {
  Tensor<float> out(64);
  reverseBlock(out, true);
  CHECK(out[0] == 63.0f);
}
// Under ThreadSanitizer, which runs them alone (CMakeLists.txt), these are reports.
TEST_CASE("race: where a barrier is missing, what is read too early is NaN") {
  Tensor<float> out(64);
  reverseBlock(out, false);
  CHECK(std::isnan(out.at(0)));
}
TEST_CASE("race: the barrier that a thread comes to next does not order what others do behind this one") {
  Tensor<float> out(1);
  CHECK(emulation::launch(block(64), [&] {
          float *const shared = sharedMemoryAs<float>();
          syncBlock();
          if (threadIndex() == 0)
            *shared = 1;
          if (threadIndex() == 40)
            out[0] = *shared;
          syncBlock();
        }) == "");
}
TEST_CASE("race: a copy is written when it is asked for and when it lands") {
  Tensor<float> in(4, 1, -1.0f, 1.0f), out(32);
  CHECK(emulation::launch(block(64), [&] {
          if (threadIndex() < 32) {
            if (threadIndex() == 0)
              copyChunk(sharedStart(), in.data(), 16);
            commitCopies();
            waitCopies<0>();
          } else {
            out[size_t(threadIndex() - 32)] = *sharedMemoryAs<float>();
          }
        }) == "");
}
TEST_CASE("race: blocks are in no order") {
  Tensor<float> out(64);
  emulation::Grid grid = block(32);
  grid.x = 2;
  CHECK(emulation::launch(grid, [&] { out[size_t(threadIndex() ^ blockX())] = 1; }) == "");
}
TEST_CASE("any thread's word at a barrier is known to all behind it, and to none at the next") {
  Tensor<float> out(64);
  CHECK(emulation::launch(block(64), [&] {
          const bool first = syncBlockAny(threadIndex() == 40), second = syncBlockAny(false);
          out[size_t(threadIndex())] = float(first) * 2 + float(second);
        }) == "");
  for (size_t i = 0; i < 64; ++i)
    CHECK(out[i] == 2.0f);
}

TEST_CASE("threads that miss a barrier, or lanes that miss their warp's operation, are errors") {
  CHECK(emulation::launch(block(64), [] {
          if (threadIndex() < 40)
            syncBlock();
        }) == "a barrier that some threads never reach");
  CHECK(emulation::launch(block(32), [] {
          if (threadIndex() < 31)
            (void)shuffleXor(1u, 1);
        }) == "an operation of a warp that some lanes never reach");
  CHECK(emulation::launch(block(32), [] {
          if (threadIndex() < 16)
            (void)shuffleXor(1u, 1);
          else
            syncWarp();
        }) == "lanes of a warp are in different operations");
  CHECK(emulation::launch(block(32), [] {
          if (threadIndex() < 16)
            syncBlock();
          else
            syncWarp();
        }) == "an operation of a warp that some lanes never reach");
  CHECK(emulation::launch(block(64), [] { syncBlock(); }) == ""); // and the next launch is whole again
}

#if SINTER_CUDA_ARCH >= 800
TEST_CASE("a copy lands when it is waited for, not before: a wait that is one group short reads NaN") {
  Tensor<float> in(8, 1, -1.0f, 1.0f), out(64);
  for (const bool isShort : {false, true}) {
    CHECK(emulation::launch(block(32), [&] {
            const bool copies = threadIndex() == 0;
            if (copies)
              copyChunk(sharedStart(), in.data(), 16);
            commitCopies();
            if (copies)
              copyChunk(sharedStart() + 16, in.data() + 4, 8);
            commitCopies();
            if (isShort)
              waitCopies<1>();
            else
              waitCopies<0>();
            for (int i = 0; copies && i < 8; ++i)
              out[size_t(i)] = sharedMemoryAs<float>()[i];
          }) == "");
    CHECK(out[0] == in[0]);
    CHECK(std::isnan(out.at(4)) == isShort);
    if (!isShort) {
      CHECK(out[5] == in[5]);
      CHECK(out[6] == 0.0f); // behind the bytes that were asked for
    }
  }
}
#endif

TEST_CASE("copies and loads of matrices that are not aligned, or outside of shared memory, are errors") {
  Tensor<float> in(8);
  CHECK(emulation::launch(block(32), [&] { copyChunk(sharedStart() + 4, in.data(), 16); }) ==
        "a copy of 16 bytes that is not aligned");
  CHECK(emulation::launch(block(32), [&] { copyChunk(sharedStart(), in.data() + 1, 16); }) ==
        "a copy of 16 bytes that is not aligned");
  CHECK(emulation::launch(block(32), [&] { copyChunk(sharedStart() + 1024, in.data(), 16); }) ==
        "a copy that ends outside of shared memory");
  CHECK(emulation::launch(block(32), [&] {
          uint32_t words[4];
          loadMatrices(words, sharedStart() + 8);
        }) == "a row of a matrix that is not aligned to 16 bytes");
  CHECK(emulation::launch(block(32), [&] {
          uint32_t words[4];
          loadMatrices(words, sharedStart() + 1024);
        }) == "a row of a matrix outside of shared memory");
}

TEST_CASE("blocks run in the order that is asked for") {
  std::vector<int> seen;
  emulation::Grid grid = block(32);
  grid.x = 3, grid.y = 2;
  const auto note = [&] {
    if (threadIndex() == 0)
      seen.push_back(blockY() * 10 + blockX());
  };
  CHECK(emulation::launch(grid, note) == "");
  CHECK(seen == std::vector<int>{0, 1, 2, 10, 11, 12});
  seen.clear();
  grid.order = emulation::Order::Backward;
  CHECK(emulation::launch(grid, note) == "");
  CHECK(seen == std::vector<int>{12, 11, 10, 2, 1, 0});
}
