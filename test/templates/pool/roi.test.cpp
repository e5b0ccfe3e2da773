// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// roi_align.h, max_roi_pool.h against their definitions in double: odd sizes, regions that reach over the border.
#include "templates/pool/max_roi_pool.h"
#include "templates/pool/roi_align.h"
#include "ulp.h"
#include "views.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

constexpr int64_t kBatch = 2, kChannels = 19, kHeight = 11, kWidth = 17, kRois = 7;

struct Features {
  std::vector<float> data = Random(4).vector(size_t(kBatch * kChannels * kHeight * kWidth));
  double at(int64_t n, int64_t c, int64_t h, int64_t w) const {
    return double(data[size_t(((n * kChannels + c) * kHeight + h) * kWidth + w)]);
  }
  View<const float, 4> view() const { return test::dense(data.data(), kBatch, kChannels, kHeight, kWidth); }
};

/// x0, y0, x1, y1 of each region, some of it outside of the map.
std::vector<float> regions(Random &random) {
  std::vector<float> all;
  for (int64_t r = 0; r < kRois; ++r) {
    const float x = random.uniform(-3.0f, 14.0f), y = random.uniform(-3.0f, 9.0f);
    all.insert(all.end(), {x, y, x + random.uniform(0.2f, 9.0f), y + random.uniform(0.2f, 9.0f)});
  }
  return all;
}

/// One sample: the four neighbours with their weights, added up or the greatest of them.
double sampleAt(const Features &x, int64_t n, int64_t c, double py, double px, bool greatest) {
  if (py < -1 || py > kHeight || px < -1 || px > kWidth)
    return 0;
  py = std::min(std::max(py, 0.0), double(kHeight - 1));
  px = std::min(std::max(px, 0.0), double(kWidth - 1));
  double sum = 0, most = -INFINITY;
  for (int64_t dy = 0; dy < 2; ++dy)
    for (int64_t dx = 0; dx < 2; ++dx) {
      const auto h = int64_t(py), w = int64_t(px);
      const double fy = py - double(h), fx = px - double(w);
      const double value = (dy ? fy : 1 - fy) * (dx ? fx : 1 - fx) *
                           x.at(n, c, std::min(h + dy, kHeight - 1), std::min(w + dx, kWidth - 1));
      sum += value;
      most = std::max(most, value);
    }
  return greatest ? most : sum;
}

void checkRoiAlign(const RoiAlignParams &p, int64_t outHeight, int64_t outWidth) {
  CAPTURE(p.sampling_ratio);
  CAPTURE(p.half_pixel);
  CAPTURE(p.is_max);
  const Features x;
  Random random(5);
  const auto rois = regions(random);
  std::vector<int64_t> batches;
  for (int64_t r = 0; r < kRois; ++r)
    batches.push_back(r % kBatch);
  std::vector<float> out(size_t(kRois * kChannels * outHeight * outWidth), -7.0f);
  REQUIRE(roiAlign(p, x.view(), test::dense(rois.data(), kRois, 4), test::dense(batches.data(), kRois),
                   test::dense(out.data(), kRois, kChannels, outHeight, outWidth)) == 0);
  size_t at = 0;
  for (int64_t r = 0; r < kRois; ++r) {
    const auto edge = [&](int64_t k) {
      return double(rois[size_t(r * 4 + k)]) * p.spatial_scale - (p.half_pixel ? 0.5 : 0);
    };
    const double least = p.half_pixel ? 0 : 1;
    const double binHeight = std::max(edge(3) - edge(1), least) / double(outHeight),
                 binWidth = std::max(edge(2) - edge(0), least) / double(outWidth);
    const int64_t rows = p.sampling_ratio ? p.sampling_ratio : int64_t(std::ceil(binHeight)),
                  columns = p.sampling_ratio ? p.sampling_ratio : int64_t(std::ceil(binWidth));
    for (int64_t c = 0; c < kChannels; ++c)
      for (int64_t i = 0; i < outHeight; ++i)
        for (int64_t j = 0; j < outWidth; ++j) {
          double sum = 0, most = -INFINITY;
          for (int64_t sy = 0; sy < rows; ++sy)
            for (int64_t sx = 0; sx < columns; ++sx) {
              const double py = edge(1) + (double(i) + (double(sy) + 0.5) / double(rows)) * binHeight;
              const double px = edge(0) + (double(j) + (double(sx) + 0.5) / double(columns)) * binWidth;
              const double value = sampleAt(x, r % kBatch, c, py, px, p.is_max);
              sum += value;
              most = std::max(most, value);
            }
          REQUIRE(double(out[at++]) == doctest::Approx(p.is_max ? most : sum / double(rows * columns)).epsilon(1e-5));
        }
  }
}

} // namespace

TEST_CASE("roi_align") {
  for (const bool halfPixel : {false, true})
    for (const bool isMax : {false, true})
      for (const int64_t ratio : {0, 1, 3}) {
        checkRoiAlign({1.0, ratio, halfPixel, isMax}, 3, 5);
        checkRoiAlign({0.5, ratio, halfPixel, isMax}, 1, 7);
        checkRoiAlign({16.0, ratio, halfPixel, isMax}, 2, 1); // regions larger than the map
      }
}

TEST_CASE("roi_align: of a region of any size only the samples on the map are visited") {
  const float x[] = {2, 2, 2, 2}, infinity = INFINITY, rois[] = {-1e9f, -1e9f, 1e9f, 1e9f, -infinity, 0, infinity, 1};
  const int64_t batches[] = {0, 0};
  float out[2];
  CHECK(roiAlign({1.0, 0, false, false}, test::dense(x, 1, 1, 2, 2), test::dense(rois, 2, 4), test::dense(batches, 2),
                 test::dense(out, 2, 1, 1, 1)) == 0);
  CHECK(out[0] < 1e-15f);
  CHECK(out[0] >= 0);
}

TEST_CASE("roi_align: of an empty map all samples lie outside; these are 0 times an element") {
  const float x[] = {NAN}, rois[] = {0, 0, 9, 9}, apart[] = {5, 5, 9, 9};
  const int64_t batches[] = {0};
  float out[1] = {7};
  CHECK(roiAlign({1.0, 0, false, false}, test::dense(x, 1, 1, 0, 3), test::dense(rois, 1, 4), test::dense(batches, 1),
                 test::dense(out, 1, 1, 1, 1)) == 0);
  CHECK(out[0] == 0);
  for (const bool isMax : {false, true}) {
    CHECK(roiAlign({1.0, 0, false, isMax}, test::dense(x, 1, 1, 1, 1), test::dense(apart, 1, 4),
                   test::dense(batches, 1), test::dense(out, 1, 1, 1, 1)) == 0);
    CHECK(out[0] != out[0]);
  }
}

TEST_CASE("max_roi_pool") {
  const Features x;
  Random random(6);
  for (const double scale : {1.0, 0.625}) {
    const int64_t outHeight = 3, outWidth = 5;
    const auto edges = regions(random);
    std::vector<float> rois;
    for (size_t r = 0; r < size_t(kRois); ++r) {
      rois.push_back(float(r % kBatch));
      rois.insert(rois.end(), edges.begin() + int64_t(r) * 4, edges.begin() + int64_t(r) * 4 + 4);
    }
    std::vector<float> out(size_t(kRois * kChannels * outHeight * outWidth), -7.0f);
    REQUIRE(maxRoiPool({scale}, x.view(), test::dense(rois.data(), kRois, 5),
                       test::dense(out.data(), kRois, kChannels, outHeight, outWidth)) == 0);
    size_t at = 0;
    for (int64_t r = 0; r < kRois; ++r) {
      const auto edge = [&](int64_t k) { return std::round(double(edges[size_t(r * 4 + k)]) * scale); };
      const double height = std::max(edge(3) - edge(1) + 1, 1.0) / double(outHeight),
                   width = std::max(edge(2) - edge(0) + 1, 1.0) / double(outWidth);
      for (int64_t c = 0; c < kChannels; ++c)
        for (int64_t i = 0; i < outHeight; ++i)
          for (int64_t j = 0; j < outWidth; ++j) {
            double most = -INFINITY;
            for (int64_t h = 0; h < kHeight; ++h)
              for (int64_t w = 0; w < kWidth; ++w) {
                // An element belongs to each bin that it overlaps.
                const double y = double(h) - edge(1), z = double(w) - edge(0);
                if (y + 1 > double(i) * height + 1e-9 && y < double(i + 1) * height - 1e-9 &&
                    z + 1 > double(j) * width + 1e-9 && z < double(j + 1) * width - 1e-9)
                  most = std::max(most, x.at(r % kBatch, c, h, w));
              }
            REQUIRE(double(out[at++]) == (most == -INFINITY ? 0 : most));
          }
    }
  }
}

TEST_CASE("regions of an image that is not there are a status") {
  const Features x;
  const float rois[5] = {float(kBatch), 0, 0, 4, 4};
  const int64_t batch = -1;
  float out[kChannels];
  const auto y = test::dense(out, 1, kChannels, 1, 1);
  CHECK(maxRoiPool({1.0}, x.view(), test::dense(rois, 1, 5), y) == 5);
  CHECK(roiAlign({1.0, 1, true, false}, x.view(), test::dense(rois + 1, 1, 4), test::dense(&batch, 1), y) == 5);
}
