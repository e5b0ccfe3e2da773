// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/picture_steps.h"

#include "driver/picture_file.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;

namespace sinter {
namespace {

constexpr int64_t mostPixelsOfSide = 4096; // what a configuration asks for is held in memory

std::optional<int64_t> side(const json::Value *value) {
  std::optional<int64_t> number = value ? value->getAsInteger() : std::nullopt;
  return number && *number > 0 && *number <= mostPixelsOfSide ? number : std::nullopt;
}

/// {"height": 224, "width": 224}, or one number for both.
std::optional<std::pair<int64_t, int64_t>> sides(const json::Value *value) {
  if (std::optional<int64_t> both = side(value))
    return std::pair(*both, *both);
  const json::Object *object = value ? value->getAsObject() : nullptr;
  std::optional<int64_t> rows = object ? side(object->get("height")) : std::nullopt;
  std::optional<int64_t> columns = object ? side(object->get("width")) : std::nullopt;
  return rows && columns ? std::optional(std::pair(*rows, *columns)) : std::nullopt;
}

/// Reads a configuration, and says what in it is of another kind than it should be.
class StepReader {
public:
  StepReader(const json::Object &config, std::string &problem) : config(config), problem(problem) {}

  bool isDone(StringRef step, bool otherwise) {
    const json::Value *value = given(step);
    if (value && !value->getAsBoolean())
      complain(step, "neither true nor false");
    return value ? value->getAsBoolean().value_or(otherwise) : otherwise;
  }
  double number(StringRef key, double otherwise) {
    const json::Value *value = given(key);
    std::optional<double> number = value ? value->getAsNumber() : otherwise;
    if (!number || !isFinite(*number))
      complain(key, "no number that a float holds");
    return number.value_or(otherwise);
  }
  /// The number of a filter of Pillow's.
  int64_t filter(StringRef key, int64_t otherwise) {
    constexpr int64_t last = 5;
    const json::Value *value = given(key);
    std::optional<int64_t> number = value ? value->getAsInteger() : otherwise;
    if (!number || *number < 0 || *number > last)
      complain(key, "no number of a filter, 0 to 5");
    return std::clamp<int64_t>(number.value_or(otherwise), 0, last);
  }
  /// A number for each color, or one for all; nothing where the configuration has none.
  std::optional<std::array<double, 3>> perColor(StringRef key, bool divides) {
    const json::Value *value = given(key);
    if (!value)
      return std::nullopt;
    const json::Array one{*value, *value, *value}, *list = value->getAsArray() ? value->getAsArray() : &one;
    std::array<double, 3> numbers{};
    bool fits = list->size() == numbers.size();
    for (size_t i = 0; fits && i < numbers.size(); ++i) {
      std::optional<double> number = (*list)[i].getAsNumber();
      fits = number && isFinite(*number) && !(divides && static_cast<float>(*number) == 0);
      numbers[i] = number.value_or(0);
    }
    if (!fits)
      complain(key, divides ? "no three numbers other than 0" : "no three numbers");
    return numbers;
  }

private:
  static bool isFinite(double number) { return std::isfinite(static_cast<float>(number)); }
  const json::Value *given(StringRef key) const {
    const json::Value *value = config.get(key);
    return value && value->kind() != json::Value::Null ? value : nullptr;
  }
  void complain(StringRef key, StringRef what) {
    if (problem.empty())
      problem = (key + " is " + what).str();
  }
  const json::Object &config;
  std::string &problem;
};

/// The middle of a picture; zeros around it where it is smaller.
Picture cropped(const Picture &picture, int64_t rows, int64_t columns) {
  Picture made{rows, columns, std::vector<uint8_t>(static_cast<size_t>(rows * columns * 3))};
  const auto begin = [](int64_t has, int64_t wanted) { // rounded down
    return has >= wanted ? (has - wanted) / 2 : -((wanted - has + 1) / 2);
  };
  const int64_t top = begin(picture.rows, rows), left = begin(picture.columns, columns);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      if (row + top >= 0 && row + top < picture.rows && column + left >= 0 && column + left < picture.columns)
        std::copy_n(picture.pixels.begin() + ((row + top) * picture.columns + column + left) * 3, 3,
                    made.pixels.begin() + (row * columns + column) * 3);
  return made;
}

Picture resizedAs(Picture picture, const PictureSteps &steps) {
  std::pair<int64_t, int64_t> size = steps.size.value_or(std::pair(picture.rows, picture.columns));
  if (steps.shortest) {
    auto [less, more] = std::minmax(picture.rows, picture.columns);
    const int64_t longer = std::clamp<int64_t>(*steps.shortest * more / less, 1, mostPixelsOfSide);
    size = picture.rows <= picture.columns ? std::pair(*steps.shortest, longer) : std::pair(longer, *steps.shortest);
  }
  if (size != std::pair(picture.rows, picture.columns))
    picture = resampled(picture, size.first, size.second, steps.filter);
  return steps.crop ? cropped(picture, steps.crop->first, steps.crop->second) : picture;
}

} // namespace

std::optional<PictureSteps> pictureStepsOf(const json::Object &config) {
  PictureSteps steps;
  StringRef processor;
  for (StringRef key : {"image_processor_type", "feature_extractor_type"})
    if (std::optional<StringRef> named = config.getString(key); named && processor.empty())
      processor = *named;
  StepReader reader(config, steps.problem);
  std::optional<std::array<double, 3>> mean = reader.perColor("image_mean", false);
  if (processor.empty() || (!config.get("size") && !mean))
    return std::nullopt;
  steps.processor = processor.str();
  processor.consume_back("Fast");
  for (StringRef end : {"ImageProcessor", "FeatureExtractor"})
    processor.consume_back(end);
  steps.isWhole = is_contained({"ViT", "DeiT", "CLIP", "ChineseCLIP", "Siglip", "Blip", "Bit"}, processor);
  if (reader.isDone("do_resize", true)) {
    const json::Value *size = config.get("size");
    steps.size = sides(size);
    const json::Object *object = size ? size->getAsObject() : nullptr;
    steps.shortest = object ? side(object->get("shortest_edge")) : std::nullopt;
    // A single number is the shorter side to those that crop.
    if (size && size->getAsInteger() && is_contained({"CLIP", "ChineseCLIP", "Bit"}, processor))
      steps.shortest = side(size);
    steps.isWhole &= steps.size || steps.shortest;
    steps.filter = static_cast<PictureFilter>(reader.filter("resample", 2));
  }
  if (reader.isDone("do_center_crop", false)) {
    steps.crop = sides(config.get("crop_size"));
    steps.isWhole &= steps.crop.has_value();
  }
  if (reader.isDone("do_rescale", true))
    steps.factor = reader.number("rescale_factor", 1.0 / 255);
  std::optional<std::array<double, 3>> deviation = reader.perColor("image_std", true);
  if (reader.isDone("do_normalize", true) && mean && deviation)
    steps.mean = *mean, steps.deviation = *deviation;
  return steps;
}

Expected<HostArray> preparedPicture(const std::string &path, const PictureSteps &steps) {
  if (!steps.isWhole)
    return createStringError("pictures are prepared by " + steps.processor +
                             ", which does more than to resize, crop and normalize a whole picture\n"
                             "NAME=FILE.npy, what it makes of the picture");
  if (!steps.problem.empty())
    return createStringError("preprocessor_config.json: " + steps.problem +
                             "\nNAME=FILE.npy, what the model's processor makes of the picture");
  Expected<Picture> read = readPicture(path);
  if (!read)
    return read.takeError();
  Picture picture = resizedAs(std::move(*read), steps);
  HostArray array = HostArray::zeros(ElementType::Float, {1, 3, picture.rows, picture.columns});
  auto *out = reinterpret_cast<float *>(array.bytes.data());
  const int64_t pixels = picture.rows * picture.columns;
  for (size_t color = 0; color < 3; ++color) {
    const auto mean = static_cast<float>(steps.mean[color]), deviation = static_cast<float>(steps.deviation[color]);
    for (int64_t i = 0; i < pixels; ++i)
      *out++ =
          (static_cast<float>(picture.pixels[static_cast<size_t>(i * 3) + color] * steps.factor) - mean) / deviation;
  }
  return array;
}

} // namespace sinter
