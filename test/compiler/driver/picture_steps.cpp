// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Against what transformers' image processors (4.57, those by Pillow 12.3) make of the same picture; and what is none.
#include "driver/picture_steps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <doctest/doctest.h>

using namespace llvm;
using namespace sinter;

namespace {
/// 7 rows of 5 pixels as a BMP: lowest row first, blue first, rows of whole words.
std::string writtenPicture(StringRef end) {
  SmallString<128> path;
  REQUIRE(!sys::fs::createTemporaryFile("picture", end, path));
  auto word = [](int64_t value, size_t bytes) {
    std::string text;
    for (size_t i = 0; i < bytes; ++i)
      text.push_back(static_cast<char>(value >> (8 * i)));
    return text;
  };
  std::string file = "BM" + word(54 + 7 * 16, 4) + word(0, 4) + word(54, 4) + word(40, 4) + word(5, 4) + word(7, 4) +
                     word(1, 2) + word(24, 2) + word(0, 24);
  for (int row = 6; row >= 0; --row) {
    for (int column = 0; column < 5; ++column)
      for (int color = 2; color >= 0; --color) {
        int i = (row * 5 + column) * 3 + color;
        file.push_back(static_cast<char>(i * 89 + i * i * 7));
      }
    file.push_back(0);
  }
  std::error_code code;
  raw_fd_ostream(path, code) << file;
  return path.str().str();
}

std::optional<PictureSteps> stepsOf(StringRef text) {
  Expected<json::Value> parsed = json::parse(text);
  REQUIRE(parsed);
  return pictureStepsOf(*parsed->getAsObject());
}

/// The numbers at rows 0, 2, 5 and columns 0, 3, 5 of each color.
void check(StringRef config, std::vector<int64_t> dims, ArrayRef<double> expected) {
  std::string path = writtenPicture("bmp");
  Expected<HostArray> made = preparedPicture(path, *stepsOf(config));
  sys::fs::remove(path);
  REQUIRE(made);
  CHECK(made->dims == dims);
  const int64_t rows = dims[2], columns = dims[3];
  for (int64_t color = 0; color < 3; ++color)
    for (auto [i, place] : enumerate(std::array<std::pair<int64_t, int64_t>, 3>{{{0, 0}, {2, 3}, {5, 5}}}))
      CHECK(numberAt(*made, (color * rows + place.first) * columns + place.second) ==
            doctest::Approx(expected[static_cast<size_t>(color) * 3 + i]).epsilon(1e-5));
}

constexpr StringRef clip = R"("image_processor_type": "CLIPImageProcessor", "resample": 3, "do_center_crop": true,
  "image_mean": [0.48145466, 0.4578275, 0.40821073], "image_std": [0.26862954, 0.26130258, 0.27577711])";
} // namespace

TEST_CASE("pictures are prepared as transformers' processors do") {
  check(("{" + clip + R"(, "size": {"shortest_edge": 8}, "crop_size": {"height": 6, "width": 6}})").str(), {1, 3, 6, 6},
        {-0.843365, 1.302604, -0.142640, 0.123874, -0.611507, -1.061740, 1.577094, 0.140868, 0.240408});
  check(("{" + clip + R"(, "size": 8, "crop_size": 6})").str(), {1, 3, 6, 6}, // as older versions wrote them
        {-0.843365, 1.302604, -0.142640, 0.123874, -0.611507, -1.061740, 1.577094, 0.140868, 0.240408});
  check(("{" + clip + R"(, "size": {"shortest_edge": 4}, "crop_size": {"height": 7, "width": 6}})").str(), {1, 3, 7, 6},
        {-1.792262, -0.420010, -1.792262, -1.752097, 0.889270, -1.752097, -1.480220, 0.155088, -1.480220});
  check(R"({"image_processor_type": "ViTImageProcessorFast", "size": {"height": 6, "width": 9}, "resample": 2,
            "rescale_factor": 0.00392156862745098, "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5]})",
        {1, 3, 6, 9}, {-0.858824, 0.301961, -0.223529, -0.176471, -0.239216, -0.733333, 0.615686, 0.223529, -0.396078});
  check(R"({"feature_extractor_type": "SiglipImageProcessor", "size": {"height": 6, "width": 6}, "resample": 3,
            "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5]})",
        {1, 3, 6, 6}, {-0.882353, 0.490196, 0.701961, -0.184314, -0.239216, 0.733333, 0.694118, -0.270588, 0.788235});
}

TEST_CASE("what prepares no picture, or does more than that") {
  CHECK(!stepsOf(R"({"feature_extractor_type": "WhisperFeatureExtractor", "sampling_rate": 16000})"));
  CHECK(!stepsOf(R"({"size": {"height": 6, "width": 6}})"));
  for (StringRef config : {R"({"image_processor_type": "Idefics3ImageProcessor", "size": {"longest_edge": 2048}})",
                           R"({"image_processor_type": "ViTImageProcessor", "size": {"height": -6, "width": 9}})",
                           R"({"image_processor_type": "ViTImageProcessor", "size": 99999999999})",
                           R"({"image_processor_type": "CLIPImageProcessor", "size": 6, "do_center_crop": true})"}) {
    CAPTURE(config);
    Expected<HostArray> made = preparedPicture("none.png", *stepsOf(config));
    REQUIRE(!made);
    CHECK(StringRef(toString(made.takeError())).contains("does more than to resize"));
  }
  Expected<HostArray> made =
      preparedPicture("none.png", *stepsOf(R"({"image_processor_type": "ViTImageProcessor", "size": 6})"));
  REQUIRE(!made);
  CHECK(StringRef(toString(made.takeError())).starts_with("none.png: "));
}

TEST_CASE("what of a configuration cannot be is told") {
  for (const std::pair<StringRef, StringRef> &wrong : std::initializer_list<std::pair<StringRef, StringRef>>{
           {R"("resample": 77)", "resample is no number of a filter"},
           {R"("resample": "bicubic")", "resample is no number of a filter"},
           {R"("do_resize": "no")", "do_resize is neither true nor false"},
           {R"("rescale_factor": 1e300)", "rescale_factor is no number"},
           {R"("image_mean": [0, 0])", "image_mean is no three numbers"},
           {R"("image_std": [1, 0, 1])", "image_std is no three numbers other than 0"},
           {R"("image_std": 1e-60)", "image_std is no three numbers other than 0"}}) {
    CAPTURE(wrong.second);
    std::string config = (R"({"image_processor_type": "ViTImageProcessor", "size": 6, )" + wrong.first + "}").str();
    Expected<HostArray> made = preparedPicture("none.png", *stepsOf(config));
    REQUIRE(!made);
    CHECK(StringRef(toString(made.takeError())).contains(wrong.second));
  }
  CHECK(stepsOf(R"({"image_processor_type": "ViTImageProcessor", "size": 6, "image_mean": null, "resample": null})")
            ->problem.empty());
}
