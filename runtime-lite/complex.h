// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers as the ABI has them, pairs of floats or doubles. One at a time: models rarely compute with them.
#pragma once

#include "runtime-lite/convert.h"

namespace sinter {
namespace {

template <class T>
struct Complex {
  T re, im;
};

template <class T>
SINTER_INLINE Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
SINTER_INLINE Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
SINTER_INLINE Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
SINTER_INLINE Complex<T> operator/(Complex<T> a, Complex<T> b) {
  const T d = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
}
/// Between Complex<float> and Complex<double>.
template <class To, class T>
SINTER_INLINE To convertComplex(Complex<T> a) {
  using E = decltype(To::re);
  return {convert<E>(a.re), convert<E>(a.im)};
}

} // namespace
} // namespace sinter
