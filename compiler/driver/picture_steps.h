// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a picture becomes what a vision encoder takes: the steps of transformers' image processors, as
// preprocessor_config.json says them. Those that show a whole picture at once (ViT, DeiT, CLIP, SigLIP, BLIP): resize,
// crop from the middle, scale, subtract a mean and divide by a deviation per color, channels first.
#pragma once

#include "driver/host_array.h"
#include "driver/resample.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <optional>

namespace sinter {

struct PictureSteps {
  std::string processor;                           ///< as the configuration names it
  bool isWhole = false;                            ///< it does nothing but these steps:
  std::string problem;                             ///< what of the configuration cannot be; "": nothing
  std::optional<std::pair<int64_t, int64_t>> size; ///< rows and columns that it is resized to,
  std::optional<int64_t> shortest;                 ///< or its shorter side, and the other one in proportion
  PictureFilter filter = PictureFilter::Bilinear;  ///< by which it is
  std::optional<std::pair<int64_t, int64_t>> crop; ///< rows and columns from its middle
  double factor = 1;                               ///< of each byte
  std::array<double, 3> mean = {0, 0, 0}, deviation = {1, 1, 1}; ///< of red, green, blue, once scaled
};

/// Of a configuration's object; nothing where that is of no pictures.
std::optional<PictureSteps> pictureStepsOf(const llvm::json::Object &config);

/// The numbers of a picture file (PNG, JPEG, BMP), float[1,3,rows,columns]. An error says what is wrong, with a hint
/// behind a line break where there is one.
llvm::Expected<HostArray> preparedPicture(const std::string &path, const PictureSteps &steps);

} // namespace sinter
