// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Probabilities of classes from those of each pair of them: the second method of T.-F. Wu, C.-J. Lin and R. C. Weng,
// "Probability Estimates for Multi-class Classification by Pairwise Coupling" (2004), with the limits that libsvm and
// onnxruntime stop at. p minimizes p' Q p, found by one coordinate after the other.
#pragma once

#include "runtime-lite/view.h"

namespace sinter {
namespace {

/// `first` [n, pairs]: of classes i < j how probable i is, pairs in the order (0, 1), (0, 2), ..., (1, 2), ...
/// `q` [classes, classes] and `qp` [classes] are scratch.
template <class T>
SINTER_FUNCTION void pairwiseCoupling(const View<const T, 2> &first, const View<T, 2> &p, const View<T, 2> &q,
                                      const View<T, 1> &qp) {
  constexpr int kRounds = 100;
  const int64_t classes = p.sizes[1];
  const T enough = T(0.005f) / T(classes);
  for (int64_t row = 0; row < p.sizes[0]; ++row) {
    const T *pair = first.data + row * first.strides[0];
    T *own = p.data + row * p.strides[0];
    const auto at = [&](int64_t i, int64_t j) -> T & { return q.data[i * classes + j]; };
    const auto probability = [&](int64_t i) -> T & { return own[i * p.strides[1]]; };
    for (int64_t i = 0; i < classes; ++i) {
      probability(i) = T(1) / T(classes);
      at(i, i) = T(0);
    }
    for (int64_t i = 0; i < classes; ++i)
      for (int64_t j = i + 1; j < classes; ++j, pair += first.strides[1]) {
        const T ofFirst = *pair, ofSecond = T(1) - ofFirst;
        at(i, i) += ofSecond * ofSecond;
        at(j, j) += ofFirst * ofFirst;
        at(i, j) = at(j, i) = -(ofFirst * ofSecond);
      }
    for (int round = 0; round < kRounds; ++round) {
      T sum = T(0), worst = T(0);
      for (int64_t i = 0; i < classes; ++i) {
        T product = T(0);
        for (int64_t j = 0; j < classes; ++j)
          product += at(i, j) * probability(j);
        qp.data[i] = product;
        sum += probability(i) * product;
      }
      for (int64_t i = 0; i < classes; ++i) {
        const T error = qp.data[i] < sum ? sum - qp.data[i] : qp.data[i] - sum;
        worst = error > worst ? error : worst;
      }
      if (worst < enough)
        break;
      for (int64_t i = 0; i < classes; ++i) {
        const T step = (sum - qp.data[i]) / at(i, i), scale = T(1) + step;
        probability(i) += step;
        sum = (sum + step * (step * at(i, i) + T(2) * qp.data[i])) / scale / scale;
        for (int64_t j = 0; j < classes; ++j) {
          qp.data[j] = (qp.data[j] + step * at(i, j)) / scale;
          probability(j) /= scale;
        }
      }
    }
  }
}

} // namespace
} // namespace sinter
