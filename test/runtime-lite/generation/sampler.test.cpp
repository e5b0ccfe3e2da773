// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sampler.h: what is refused and why, ties, the distribution of draws, and a text that is equal on every target.
// test/generation compares with transformers.
#include "runtime-lite/generation/sampler.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

using namespace sinter;

namespace {

int32_t sampleOf(const sinter_sampler &settings, std::vector<float> logits, int32_t position = 1) {
  const int32_t vocab = int32_t(logits.size());
  std::vector<uint64_t> scratch(sampler_scratch_bytes(vocab) / 8 + 1);
  const std::vector<int32_t> text(size_t(position), 0);
  sinter_step step = {};
  step.tokens = text.data();
  step.token_count = position;
  return sample(settings, step, logits.data(), vocab, scratch.data(), sampler_scratch_bytes(vocab));
}
constexpr float kInfinity = HUGE_VALF;

} // namespace

TEST_CASE("sampler: greedy takes the lowest of equal ids") {
  const sinter_sampler greedySettings = {};
  CHECK(sampleOf(greedySettings, {1, 3, 2, 3}) == 1);
  CHECK(sampleOf(greedySettings, {-kInfinity, -5, -kInfinity}) == 1);
}

TEST_CASE("sampler: what is refused") {
  sinter_sampler settings = {};
  CHECK(sampleOf(settings, {1, std::nanf("")}) == SINTER_SAMPLE_NAN);
  CHECK(sampleOf(settings, {1, kInfinity}) == SINTER_SAMPLE_INFINITE);
  CHECK(sampleOf(settings, {-kInfinity, -kInfinity}) == SINTER_SAMPLE_NONE_ALLOWED);
  CHECK(sampleOf(settings, {}) == SINTER_SAMPLE_NULL);
  settings.remove_invalid_values = 1;
  CHECK(sampleOf(settings, {-1, std::nanf("")}) == 1);
  CHECK(sampleOf(settings, {1, kInfinity}) == 1);
  CHECK(sampleOf(settings, {-kInfinity, -kInfinity}) == 0);
  settings = {};
  settings.do_sample = 1;
  settings.temperature = 1e-40f;
  CHECK(sampleOf(settings, {1, 2}) == SINTER_SAMPLE_INFINITE);
  settings.temperature = -1;
  CHECK(sampleOf(settings, {1, 2}) == SINTER_SAMPLE_SETTING);
  settings.temperature = std::nanf("");
  CHECK(sampleOf(settings, {1, 2}) == SINTER_SAMPLE_SETTING);
  settings.temperature = 1;
  settings.top_p = 1.5f;
  CHECK(sampleOf(settings, {1, 2}) == SINTER_SAMPLE_SETTING);
  settings.top_p = 0;
  const int32_t outside[] = {2};
  settings.suppress = {outside, 1};
  CHECK(sampleOf(settings, {1, 2}) == SINTER_SAMPLE_TOKEN);
  settings.suppress = {nullptr, 1};
  CHECK(sampleOf(settings, {1, 2}) == SINTER_SAMPLE_NULL);
  settings.suppress = {};
  const int32_t empty[] = {0};
  settings.bad_words = {outside, empty, 1};
  CHECK(sampleOf(settings, {1, 2}) == SINTER_SAMPLE_SETTING);
  float logits[] = {1, 2};
  uint64_t scratch[1] = {};
  const sinter_step step = {};
  CHECK(sample(sinter_sampler{}, step, logits, 2, scratch, sizeof(scratch)) == SINTER_SAMPLE_SCRATCH);
  for (int32_t status = SINTER_SAMPLE_DRAFT; status < 0; ++status)
    CHECK(std::strcmp(sinter_text_of_sample(status), "unknown status") != 0);
}

TEST_CASE("sampler: draws follow the probabilities") {
  sinter_sampler settings = {};
  settings.do_sample = 1;
  settings.seed = 5;
  int times[3] = {};
  for (int32_t position = 1; position <= 6000; ++position)
    ++times[sampleOf(settings, {std::log(2.0f), 0, std::log(3.0f)}, position)];
  CHECK(std::abs(times[0] - 2000) < 110);
  CHECK(std::abs(times[1] - 1000) < 90);
  CHECK(std::abs(times[2] - 3000) < 120);
}

TEST_CASE("sampler: an allowed mask leaves what it names") {
  sinter_sampler settings = {};
  std::vector<float> logits(40, 1.0f);
  logits[33] = 0;
  std::vector<uint64_t> scratch(sampler_scratch_bytes(40) / 8);
  const uint32_t allowed[] = {0, 2};
  sinter_step step = {};
  step.allowed = allowed;
  CHECK(sample(settings, step, logits.data(), 40, scratch.data(), scratch.size() * 8) == 33);
}

TEST_CASE("sampler: a text is equal on every target") {
  sinter_sampler settings = {};
  settings.do_sample = 1;
  settings.temperature = 0.7f;
  settings.repetition_penalty = 1.3f;
  settings.frequency_penalty = 0.3f;
  settings.typical_p = 0.95f;
  settings.top_p = 0.97f;
  settings.eta_cutoff = 1e-4f;
  settings.seed = 11;
  constexpr int32_t vocab = 3000;
  std::vector<uint64_t> scratch(sampler_scratch_bytes(vocab) / 8);
  std::vector<int32_t> text = {1};
  uint64_t hash = 0;
  for (uint32_t n = 1; n < 200; ++n) {
    std::vector<float> logits;
    for (uint32_t i = 0; i < vocab; ++i)
      logits.push_back(float(int32_t((i * 2654435761u ^ n * 40503u) * 2246822519u) >> 8) * 0x1p-20f);
    sinter_step step = {};
    step.tokens = text.data();
    step.token_count = int32_t(n);
    text.push_back(sample(settings, step, logits.data(), vocab, scratch.data(), scratch.size() * 8));
    hash = hash * 31 + uint64_t(text.back());
  }
  CHECK(hash == 1089501387722153543u);
}
