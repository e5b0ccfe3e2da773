// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// recurrent.h against ONNX's equations in double: peepholes, clip, coupled gates, linear_before_reset, lengths, both
// directions, both layouts.
#include "templates/recurrent.h"
#include "templates/gemm_pack.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

constexpr int kR = 4, kNR = SINTER_VECTOR_BYTES == 64 ? 32 : 16;

struct Case {
  int64_t steps, batch, input, hidden, stepsAtOnce;
  bool reverse, batchFirst, lengths, bias;
  float clip;
};
const Case kCases[] = {
    {1, 1, 1, 1, 1, false, false, false, false, INFINITY}, {5, 1, 3, 4, 5, false, false, false, true, INFINITY},
    {5, 3, 7, 17, 2, true, false, true, true, INFINITY},   {6, 2, 16, 33, 4, false, true, true, true, 0.5f},
    {4, 5, 2, 20, 1, true, true, false, true, INFINITY},
};

double sigmoidOf(double x) { return 1 / (1 + std::exp(-x)); }

/// Weights, states and data of a cell with `gates` gates; and a walk over it in the order that the equations prescribe.
struct Cell {
  Case k;
  int64_t gates;
  RecurrentShape<> s;
  std::vector<float> x, w, r, bias, biasR, h, c, y, peephole, scratch;
  std::vector<int32_t> lengths;
  Cell(const Case &k, int64_t gates) : k(k), gates(gates) {
    Random random(uint64_t(k.hidden * 7 + gates));
    s = {k.steps,  k.batch,   k.input,      k.hidden, k.batch * k.input, k.input, k.batch * k.hidden,
         k.hidden, k.reverse, k.stepsAtOnce};
    if (k.batchFirst)
      s.xStep = k.input, s.xBatch = k.steps * k.input, s.yStep = k.hidden, s.yBatch = k.steps * k.hidden;
    x = random.vector(size_t(k.steps * k.batch * k.input));
    w = random.vector(size_t(gates * k.hidden * k.input));
    r = random.vector(size_t(gates * k.hidden * k.hidden), -0.3f, 0.3f);
    bias = random.vector(size_t(gates * k.hidden));
    biasR = random.vector(size_t(k.hidden));
    peephole = random.vector(size_t(3 * k.hidden));
    h = random.vector(size_t(k.batch * k.hidden));
    c = random.vector(size_t(k.batch * k.hidden));
    y.assign(size_t(k.steps * k.batch * k.hidden), -7.0f);
    scratch.resize(size_t(recurrentScratch(s, gates)));
    for (int64_t b = 0; b < k.batch; ++b)
      lengths.push_back(int32_t(1 + (b * 3) % k.steps));
  }
  std::vector<float> pack(const std::vector<float> &m, int64_t columns, int64_t first, int64_t rows) const {
    std::vector<float> p(size_t(gemmPackedSize(columns, rows, kNR)));
    gemmPack(m.data() + first * rows, int64_t(1), rows, columns, rows, int64_t(kNR), p.data());
    return p;
  }
  const float *biasOrNull() const { return k.bias ? bias.data() : nullptr; }
  const int32_t *lengthsOrNull() const { return k.lengths ? lengths.data() : nullptr; }
  /// x W + h R (the latter where h is given) + bias for one gate and unit.
  double gate(int64_t t, int64_t b, int64_t g, int64_t j, const std::vector<double> &state, bool withState) const {
    const int64_t row = g * k.hidden + j;
    double v = k.bias ? double(bias[size_t(row)]) : 0;
    for (int64_t i = 0; i < k.input; ++i)
      v += double(x[size_t(t * s.xStep + b * s.xBatch + i)]) * double(w[size_t(row * k.input + i)]);
    return withState ? v + product(g, j, state) : v;
  }
  double product(int64_t g, int64_t j, const std::vector<double> &state) const {
    double v = 0;
    for (int64_t i = 0; i < k.hidden; ++i)
      v += state[size_t(i)] * double(r[size_t((g * k.hidden + j) * k.hidden + i)]);
    return v;
  }
  double clipped(double v) const { return std::min(std::max(v, -double(k.clip)), double(k.clip)); }
  /// step(t, b, h, c) advances one sequence's state; compares all outputs with what it gives.
  template <class Step>
  void check(Step step, const std::vector<float> &h0, const std::vector<float> &c0) const {
    CAPTURE(k.hidden);
    for (int64_t b = 0; b < k.batch; ++b) {
      std::vector<double> hs(h0.begin() + b * k.hidden, h0.begin() + (b + 1) * k.hidden);
      std::vector<double> cs(c0.begin() + b * k.hidden, c0.begin() + (b + 1) * k.hidden);
      const int64_t length = k.lengths ? lengths[size_t(b)] : k.steps;
      for (int64_t i = 0; i < k.steps; ++i) {
        const int64_t t = i >= length ? i : k.reverse ? length - 1 - i : i;
        if (i < length)
          step(t, b, hs, cs);
        for (int64_t j = 0; j < k.hidden; ++j)
          REQUIRE(std::fabs(double(y[size_t(t * s.yStep + b * s.yBatch + j)]) - (i < length ? hs[size_t(j)] : 0)) <
                  1e-5);
      }
      for (int64_t j = 0; j < k.hidden; ++j)
        REQUIRE(std::fabs(double(h[size_t(b * k.hidden + j)]) - hs[size_t(j)]) < 1e-5);
    }
  }
};

} // namespace

TEST_CASE("LSTM") {
  for (const Case &k : kCases)
    for (int variant = 0; variant < 3; ++variant) {
      Cell cell(k, 4);
      const bool coupled = variant == 1, peepholes = variant == 2;
      const auto h0 = cell.h, c0 = cell.c;
      const auto w = cell.pack(cell.w, 4 * k.hidden, 0, k.input), r = cell.pack(cell.r, 4 * k.hidden, 0, k.hidden);
      lstm<kR, kNR>(cell.s, cell.x.data(), w.data(), r.data(), cell.biasOrNull(),
                    peepholes ? cell.peephole.data() : nullptr, cell.lengthsOrNull(), cell.h.data(), cell.c.data(),
                    cell.y.data(), cell.scratch.data(), k.clip, coupled, Sigmoid{}, Tanh{}, Tanh{});
      cell.check(
          [&](int64_t t, int64_t b, std::vector<double> &h, std::vector<double> &c) {
            const auto before = h;
            for (int64_t j = 0; j < k.hidden; ++j) {
              const auto p = [&](int64_t which) {
                return peepholes ? double(cell.peephole[size_t(which * k.hidden + j)]) : 0;
              };
              double &cj = c[size_t(j)];
              const double i = sigmoidOf(cell.clipped(cell.gate(t, b, 0, j, before, true) + p(0) * cj));
              const double f =
                  coupled ? 1 - i : sigmoidOf(cell.clipped(cell.gate(t, b, 2, j, before, true) + p(2) * cj));
              cj = f * cj + i * std::tanh(cell.clipped(cell.gate(t, b, 3, j, before, true)));
              h[size_t(j)] = sigmoidOf(cell.clipped(cell.gate(t, b, 1, j, before, true) + p(1) * cj)) * std::tanh(cj);
            }
          },
          h0, c0);
    }
}

TEST_CASE("GRU") {
  for (const Case &k : kCases)
    for (bool linear : {false, true}) {
      Cell cell(k, 3);
      const auto h0 = cell.h;
      const auto w = cell.pack(cell.w, 3 * k.hidden, 0, k.input), rZr = cell.pack(cell.r, 2 * k.hidden, 0, k.hidden),
                 rH = cell.pack(cell.r, k.hidden, 2 * k.hidden, k.hidden);
      gru<kR, kNR>(cell.s, cell.x.data(), w.data(), rZr.data(), rH.data(), cell.biasOrNull(),
                   k.bias && linear ? cell.biasR.data() : nullptr, cell.lengthsOrNull(), cell.h.data(), cell.y.data(),
                   cell.scratch.data(), k.clip, linear, Sigmoid{}, Tanh{});
      cell.check(
          [&](int64_t t, int64_t b, std::vector<double> &h, std::vector<double> &) {
            const auto before = h;
            std::vector<double> z, reset, limited;
            for (int64_t j = 0; j < k.hidden; ++j) {
              z.push_back(sigmoidOf(cell.clipped(cell.gate(t, b, 0, j, before, true))));
              reset.push_back(sigmoidOf(cell.clipped(cell.gate(t, b, 1, j, before, true))));
              limited.push_back(reset.back() * before[size_t(j)]);
            }
            for (int64_t j = 0; j < k.hidden; ++j) {
              const double biasR = k.bias && linear ? double(cell.biasR[size_t(j)]) : 0;
              const double state =
                  linear ? reset[size_t(j)] * (cell.product(2, j, before) + biasR) : cell.product(2, j, limited);
              const double candidate = std::tanh(cell.clipped(cell.gate(t, b, 2, j, before, false) + state));
              h[size_t(j)] = (1 - z[size_t(j)]) * candidate + z[size_t(j)] * before[size_t(j)];
            }
          },
          h0, cell.c);
    }
}

TEST_CASE("RNN, with an activation that has parameters") {
  for (const Case &k : kCases) {
    Cell cell(k, 1);
    const auto h0 = cell.h;
    const auto w = cell.pack(cell.w, k.hidden, 0, k.input), r = cell.pack(cell.r, k.hidden, 0, k.hidden);
    rnn<kR, kNR>(cell.s, cell.x.data(), w.data(), r.data(), cell.biasOrNull(), cell.lengthsOrNull(), cell.h.data(),
                 cell.y.data(), cell.scratch.data(), k.clip, LeakyRelu{0.1f, 0.0f});
    cell.check(
        [&](int64_t t, int64_t b, std::vector<double> &h, std::vector<double> &) {
          const auto before = h;
          for (int64_t j = 0; j < k.hidden; ++j) {
            const double v = cell.clipped(cell.gate(t, b, 0, j, before, true));
            h[size_t(j)] = v < 0 ? double(0.1f) * v : v;
          }
        },
        h0, cell.c);
  }
}

TEST_CASE("a cell whose batch and step are known gives the same") {
  const Case k{3, 1, 5, 20, 1, true, false, false, true, INFINITY};
  Cell a(k, 1), b(k, 1);
  const auto w = a.pack(a.w, k.hidden, 0, k.input), r = a.pack(a.r, k.hidden, 0, k.hidden);
  rnn<kR, kNR>(a.s, a.x.data(), w.data(), r.data(), a.bias.data(), nullptr, a.h.data(), a.y.data(), a.scratch.data(),
               k.clip, Tanh{});
  const RecurrentShape<Fixed<1>, Fixed<1>> s{3, {}, 5, 20, a.s.xStep, a.s.xBatch, a.s.yStep, a.s.yBatch, true, {}};
  rnn<kR, kNR>(s, b.x.data(), w.data(), r.data(), b.bias.data(), nullptr, b.h.data(), b.y.data(), b.scratch.data(),
               k.clip, Tanh{});
  CHECK(a.y == b.y);
}

TEST_CASE("activations") {
  CHECK(HardSigmoid{0.2f, 0.5f}(0.5f) == doctest::Approx(0.6));
  CHECK(HardSigmoid{0.2f, 0.5f}(9.0f) == 1.0f);
  CHECK(Affine{2.0f, 1.0f}(3.0f) == 7.0f);
  CHECK(ThresholdedRelu{1.0f, 0.0f}(0.5f) == 0.0f);
  CHECK(ScaledTanh{2.0f, 0.5f}(1.0f) == doctest::Approx(2 * std::tanh(0.5)));
  CHECK(Elu{1.0f, 0.0f}(-1.0f) == doctest::Approx(std::expm1(-1.0)));
  CHECK(Softsign{}(-3.0f) == -0.75f);
  CHECK(Relu{}(-3.0f) == 0.0f);
  CHECK(Softplus{}(0.0f) == doctest::Approx(std::log(2.0)));
}
