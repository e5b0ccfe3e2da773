// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/resample.h"

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

constexpr int places = 22; // of a weight behind the binary point
constexpr int64_t colors = 3;

double sinc(double x) {
  x *= M_PI;
  return x == 0 ? 1 : std::sin(x) / x;
}

/// How far from the center a filter reaches, in pixels of the smaller picture.
double reachOf(PictureFilter filter) {
  switch (filter) {
  case PictureFilter::Nearest:
  case PictureFilter::Box:
    return 0.5;
  case PictureFilter::Lanczos:
    return 3;
  case PictureFilter::Bicubic:
    return 2;
  case PictureFilter::Bilinear:
  case PictureFilter::Hamming:
    return 1;
  }
  return 1;
}

double weightAt(PictureFilter filter, double x) {
  const double distance = std::fabs(x);
  switch (filter) {
  case PictureFilter::Nearest:
  case PictureFilter::Box:
    return x > -0.5 && x <= 0.5 ? 1 : 0;
  case PictureFilter::Lanczos:
    return -3 <= x && x < 3 ? sinc(x) * sinc(x / 3) : 0;
  case PictureFilter::Bilinear:
    return distance < 1 ? 1 - distance : 0;
  case PictureFilter::Hamming:
    return distance == 0 ? 1 : distance >= 1 ? 0 : sinc(distance) * (0.54 + 0.46 * std::cos(M_PI * distance));
  case PictureFilter::Bicubic: {
    constexpr double a = -0.5;
    return distance < 1   ? ((a + 2) * distance - (a + 3)) * distance * distance + 1
           : distance < 2 ? (((distance - 5) * distance + 8) * distance - 4) * a
                          : 0;
  }
  }
  return 0;
}

/// What a pixel is a sum of: those from `first` on, by their weights.
struct Window {
  int64_t first = 0;
  std::vector<int64_t> weights;
};

std::vector<Window> windowsOf(int64_t from, int64_t to, PictureFilter filter) {
  const double scale = static_cast<double>(from) / static_cast<double>(to), stretch = std::max(scale, 1.0);
  const double reach = reachOf(filter) * stretch;
  std::vector<Window> windows(static_cast<size_t>(to));
  for (int64_t i = 0; i < to; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale;
    const int64_t first = std::max<int64_t>(static_cast<int64_t>(center - reach + 0.5), 0);
    const int64_t end = std::min(static_cast<int64_t>(center + reach + 0.5), from);
    std::vector<double> weights;
    double sum = 0;
    for (int64_t j = first; j < end; ++j) {
      weights.push_back(weightAt(filter, (static_cast<double>(j) - center + 0.5) / stretch));
      sum += weights.back();
    }
    Window &window = windows[static_cast<size_t>(i)];
    window.first = first;
    for (double weight : weights) {
      const double fixed = (sum != 0 ? weight / sum : weight) * (1 << places);
      window.weights.push_back(static_cast<int64_t>(fixed < 0 ? fixed - 0.5 : fixed + 0.5));
    }
  }
  return windows;
}

/// Sums along one axis: of `lines` sequences of pixels, `step` bytes from one to the next, `line` bytes apart.
void sumWindows(const std::vector<Window> &windows, const uint8_t *from, uint8_t *to, int64_t lines, int64_t step,
                int64_t lineFrom, int64_t lineTo) {
  for (int64_t line = 0; line < lines; ++line)
    for (size_t i = 0; i < windows.size(); ++i)
      for (int64_t color = 0; color < colors; ++color) {
        const uint8_t *at = from + line * lineFrom + windows[i].first * step + color;
        int64_t sum = int64_t(1) << (places - 1);
        for (int64_t weight : windows[i].weights) {
          sum += weight * *at;
          at += step;
        }
        to[line * lineTo + static_cast<int64_t>(i) * step + color] =
            static_cast<uint8_t>(std::clamp<int64_t>(sum >> places, 0, 255));
      }
}

Picture nearest(const Picture &picture, Picture made) {
  auto place = [](int64_t i, int64_t from, int64_t to) {
    return std::min(
        static_cast<int64_t>((static_cast<double>(i) + 0.5) * static_cast<double>(from) / static_cast<double>(to)),
        from - 1);
  };
  for (int64_t row = 0; row < made.rows; ++row)
    for (int64_t column = 0; column < made.columns; ++column)
      std::copy_n(picture.pixels.begin() + (place(row, picture.rows, made.rows) * picture.columns +
                                            place(column, picture.columns, made.columns)) *
                                               colors,
                  colors, made.pixels.begin() + (row * made.columns + column) * colors);
  return made;
}

Picture blank(int64_t rows, int64_t columns) {
  return {rows, columns, std::vector<uint8_t>(static_cast<size_t>(rows * columns * colors))};
}

} // namespace

Picture resampled(const Picture &picture, int64_t rows, int64_t columns, PictureFilter filter) {
  if (filter == PictureFilter::Nearest)
    return nearest(picture, blank(rows, columns));
  Picture wide = picture;
  if (columns != picture.columns) {
    wide = blank(picture.rows, columns);
    sumWindows(windowsOf(picture.columns, columns, filter), picture.pixels.data(), wide.pixels.data(), picture.rows,
               colors, picture.columns * colors, columns * colors);
  }
  if (rows == wide.rows)
    return wide;
  Picture made = blank(rows, columns);
  sumWindows(windowsOf(wide.rows, rows, filter), wide.pixels.data(), made.pixels.data(), columns, columns * colors,
             colors, colors);
  return made;
}

} // namespace sinter
