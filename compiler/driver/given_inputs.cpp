// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/given_inputs.h"

#include "codegen/abi/session.h"
#include "driver/flags.h"
#include "driver/front_rows.h"
#include "driver/picture_file.h"
#include "driver/runner/wav_sound.h"
#include "driver/staging.h"
#include "driver/tensor_file.h"
#include "support/given_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

using namespace llvm;

namespace sinter {
namespace {

constexpr StringRef givenFile = "given.bin";

bool failGiven(const Twine &what, const Twine &hint = "") {
  printError(what, hint);
  return false;
}

/// As Wav2Vec2's feature extractor does: a mean of 0 and a variance of 1.
void normalize(std::vector<float> &samples) {
  constexpr double least = 1e-7;
  double sum = 0, squares = 0;
  for (float sample : samples)
    sum += sample;
  const double mean = samples.empty() ? 0 : sum / static_cast<double>(samples.size());
  for (float sample : samples)
    squares += (sample - mean) * (sample - mean);
  const double deviation = std::sqrt((samples.empty() ? 0 : squares / static_cast<double>(samples.size())) + least);
  for (float &sample : samples)
    sample = static_cast<float>((sample - mean) / deviation);
}

const InterfaceTensor &encodedValues(const EncodeProgram &encoder) {
  return *find_if(encoder.interface.inputs, [&](const InterfaceTensor &input) {
    return encoder.inputs.lookup(input.name).input == EncodeInput::Values;
  });
}
} // namespace

bool GivenInputs::read(ArrayRef<std::string> named, const DecoderConfig &config) {
  for (StringRef each : named) {
    auto [name, path] = each.split('=');
    if (!path.ends_with(".npy") && !path.ends_with(".pb") && !isPictureName(path))
      return failGiven("--input " + each + ": " + path + " is no file that says a shape",
                       "NAME=FILE.npy, as numpy.save writes it, or a picture: FILE.png, FILE.jpg");
    auto before = find_if(arrays, [name = name](const HostArray &array) { return array.name == name; });
    bool isGiven = before != arrays.end();
    if (isGiven && !isPictureName(path))
      return failGiven("--input " + each + ": " + name + " is given twice",
                       "pictures may be several, NAME=A.png and NAME=B.png; an array has all of them");
    if (isPictureName(path)) {
      if (!readPicture(name, path.str(), config.pictures))
        return false;
      continue;
    }
    std::string problem;
    std::optional<HostArray> array = readTensorFile(path, ElementType::Undefined, {}, problem);
    if (!array)
      return failGiven("--input " + problem);
    array->name = name.str();
    arrays.push_back(std::move(*array));
  }
  return true;
}

StringMap<std::vector<int64_t>> GivenInputs::sizes() const {
  StringMap<std::vector<int64_t>> all;
  for (const HostArray &array : arrays)
    all[array.name] = array.dims;
  return all;
}

bool GivenInputs::readPicture(StringRef name, const std::string &path, const std::optional<PictureSteps> &steps) {
  if (!steps)
    return failGiven("--input " + name + "=" + path +
                         ": no preprocessor_config.json beside the model says how pictures are prepared",
                     "NAME=FILE.npy, what the model's processor makes of the picture");
  Expected<HostArray> array = preparedPicture(path, *steps);
  if (!array) {
    const std::string said = toString(array.takeError());
    auto [problem, hint] = StringRef(said).split('\n');
    return failGiven("--input " + name + ": " + problem, hint);
  }
  array->name = name.str();
  auto before = find_if(arrays, [&](const HostArray &each) { return each.name == name; });
  if (before == arrays.end()) {
    arrays.push_back(std::move(*array));
    return true;
  }
  bool isAlike =
      before->type == array->type && ArrayRef(before->dims).drop_front() == ArrayRef(array->dims).drop_front();
  if (!isAlike)
    return failGiven("--input " + name + "=" + path + " is " + describe(array->type, array->dims) +
                         " once it is prepared, and the one before " + describe(before->type, before->dims),
                     "pictures of one input are equally large, and no arrays are among them");
  before->dims.front() += array->dims.front();
  before->bytes.insert(before->bytes.end(), array->bytes.begin(), array->bytes.end());
  return true;
}

/// Of a WAV file; false after a message.
static bool readWav(const std::string &path, uint32_t rate, WavSound &sound) {
  constexpr StringRef hint = "--sound takes a WAV file: `ffmpeg -i FILE speech.wav` makes one of others";
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path);
  if (!file)
    return failGiven("--sound " + toString(file.takeError()), hint);
  StringRef bytes = (*file)->getBuffer();
  if (const char *problem = sound.parse({bytes.bytes_begin(), bytes.bytes_end()}, rate))
    return failGiven("--sound " + path + ": " + problem, hint);
  return true;
}

bool GivenInputs::isHeard(const std::string &path) {
  constexpr uint32_t soundRate = 16000; // of runtime-lite/generation/log_mel.h
  WavSound sound;
  return readWav(path, soundRate, sound);
}

bool GivenInputs::readSound(const std::string &path, const SampledSound &as) {
  WavSound sound;
  if (!readWav(path, static_cast<uint32_t>(as.rate), sound))
    return false;
  if (as.isNormalized)
    normalize(sound.samples);
  HostArray array = HostArray::zeros(ElementType::Float, {1, static_cast<int64_t>(sound.samples.size())});
  std::copy_n(reinterpret_cast<const char *>(sound.samples.data()), array.bytes.size(), array.bytes.begin());
  arrays.push_back(std::move(array));
  return true;
}

std::optional<int64_t> GivenInputs::samples() const {
  if (arrays.size() != 1 || arrays.front().dims.size() != 2)
    return std::nullopt;
  return arrays.front().dims.back();
}

std::vector<std::string> GivenInputs::words(const Staging &staging) const {
  return isEmpty() ? std::vector<std::string>() : std::vector<std::string>{"--given", staging.file(givenFile)};
}

/// Which tokens of a prompt would stand for what is not given.
static std::vector<std::string> unseen(const SessionPlan &plan, const DecoderConfig &config) {
  std::vector<std::string> tokens;
  for (std::optional<int64_t> token : {config.imageToken, config.soundToken})
    if (token && !plan.fronts.empty())
      tokens.push_back(std::to_string(*token));
  return tokens.empty() ? tokens : std::vector<std::string>{"SINTER_UNSEEN=" + join(tokens, ",")};
}

std::optional<std::vector<std::string>> GivenInputs::settle(const CompiledModel &model, const DecoderConfig &config,
                                                            const Staging &staging) const {
  if (!model.session)
    return std::vector<std::string>();
  const SessionPlan &plan = *model.session;
  if (!plan.encode.empty())
    return settleEncoder(plan, staging);
  if (isEmpty())
    return unseen(plan, config);
  FrontRows rows(model.interface, plan, arrays);
  if (!rows.settle(config))
    return std::nullopt;
  for (auto [name, text] : {std::pair<StringRef, StringRef>(givenFile, rows.file()), {frontRowsHeader, rows.header()}})
    if (Error error = staging.write(name, text)) {
      printError(toString(std::move(error)));
      return std::nullopt;
    }
  return std::vector<std::string>{"SINTER_GIVEN=\"" + frontRowsHeader.str() + "\"",
                                  "SINTER_GIVEN_NUMBER=" + rows.number()};
}

std::optional<std::vector<std::string>> GivenInputs::settleEncoder(const SessionPlan &plan,
                                                                   const Staging &staging) const {
  const InterfaceTensor &values = encodedValues(plan.encode.front());
  std::string taken = describeTensor(values).text().str();
  bool takesTokens = values.type != ElementType::Float;
  auto refuse = [](const Twine &what, const Twine &hint) {
    printError(what, hint);
    return std::optional<std::vector<std::string>>();
  };
  if (takesTokens && !isEmpty())
    return refuse("the encoder takes tokens, " + values.name, "--prompt TEXT, or --ids 1,5,7");
  if (!takesTokens && isOfText)
    return refuse("the encoder takes numbers, " + values.name + ": " + taken,
                  "--input " + values.name + "=FILE.npy, or of samples --sound FILE.wav");
  if (isEmpty())
    return std::vector<std::string>();
  const HostArray &array = arrays.front();
  if (arrays.size() > 1 || (!array.name.empty() && array.name != values.name))
    return refuse("--input " + arrays.back().name + ": one input of the encoder is given, " + values.name,
                  "--input " + values.name + "=FILE.npy");
  auto [least, most] = encodeBounds(plan);
  bool fits = array.type == ElementType::Float && array.dims.size() == values.dims.size() &&
              array.dims.back() >= least && array.dims.back() <= most;
  for (size_t i = 0; fits && i + 1 < array.dims.size(); ++i)
    fits = array.dims[i] == values.dims[i].max;
  if (!fits) {
    std::string range =
        least == most ? "" : ", the last dim from " + std::to_string(least) + " to " + std::to_string(most);
    return refuse((array.name.empty() ? "the sound" : "--input " + array.name) + " is " +
                      describe(array.type, array.dims) + ", and the encoder takes " + taken + range,
                  "--source N or --dim NAME=LOW..HIGH say how many an encoder takes");
  }
  if (Error error = staging.write(givenFile, array.bytes))
    return refuse(toString(std::move(error)), "");
  return std::vector<std::string>{"SINTER_VALUES=" + std::to_string(array.dims.back())};
}

} // namespace sinter
