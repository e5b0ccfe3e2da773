// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a token costs to choose: the least time of `sample` for vocabularies of three sizes, by what settings keep.
// Logits are normal numbers, 4 times as far apart as those of the unit. With it goes a sum over what was chosen, by
// which two versions can be seen to choose alike.
//
//   clang++ -std=c++17 -O3 -ffp-contract=off -march=x86-64-v4 -I. test/tools/benchmark_sampler.cpp -o sampler && ./sampler
#include "runtime-lite/generation/sampler.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

namespace {

struct Setting {
  const char *name;
  sinter_sampler sampler;
};

std::vector<Setting> settings() {
  sinter_sampler greedy = {};
  sinter_sampler drawn = {};
  drawn.do_sample = 1;
  drawn.temperature = 0.8f;
  sinter_sampler topK = drawn, topP = drawn, minP = drawn;
  topK.top_k = 40;
  topP.top_p = 0.95f;
  minP.min_p = 0.05f;
  return {{"greedy", greedy}, {"top-k 40", topK}, {"top-p 0.95", topP}, {"temperature", drawn}, {"min-p 0.05", minP}};
}

void measure(const Setting &setting, const std::vector<float> &logits) {
  const int32_t vocab = int32_t(logits.size());
  const size_t bytes = sinter::sampler_scratch_bytes(vocab);
  std::vector<uint64_t> scratch(bytes / sizeof(uint64_t) + 1);
  std::vector<int32_t> text(300, 0);
  std::vector<float> row(logits.size());
  double least = 1e9;
  unsigned chosen = 0;
  for (int i = 0; i < (vocab < 1000 ? 20000 : 400); ++i) {
    std::copy(logits.begin(), logits.end(), row.begin());
    sinter_step step = {};
    step.tokens = text.data();
    step.token_count = i % 300; // the place of a draw
    const auto begin = std::chrono::steady_clock::now();
    const int32_t id = sinter::sample(setting.sampler, step, row.data(), vocab, scratch.data(), bytes);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    least = std::min(least, time.count());
    chosen = chosen * 31 + unsigned(id);
  }
  std::printf("%7d  %-11s %9.2f us  %08x\n", vocab, setting.name, least * 1e6, chosen);
}

} // namespace

int main() {
  for (const size_t vocab : {size_t(512), size_t(32000), size_t(151936)}) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0, 4);
    std::vector<float> logits(vocab);
    for (float &x : logits)
      x = normal(random);
    for (const Setting &setting : settings())
      measure(setting, logits);
  }
}
