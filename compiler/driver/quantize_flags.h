// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags of sinter quantize.
#pragma once

#include "driver/answer.h"
#include "driver/model_flags.h"
#include "driver/report_page.h"
#include "quantize/static.h"
#include "quantize/weights_only.h"

namespace sinter {

struct QuantizeFlags : ModelFlags {
  Flag<std::string> output{"o", FlagTrait::Required, FlagTrait::Output, Says("the quantized model"),
                           Takes("FILE.onnx")};
  Flag<std::string> data{"data", Says("folder of samples: a file (.npy, .pb, else raw bytes) per input"),
                         Takes("folder")};
  Flag<std::string> calibrate{"calibrate", Says("how ranges are chosen (default: the way that loses least)"),
                              Takes("best|minmax|percentile[=99.99]|entropy|mse"), Initially("best")};
  Flag<std::string> activations{"activations", Says("the type of values between layers"), Takes("int8|uint8"),
                                Initially("int8")};
  Flag<bool> symmetric{"symmetric", Says("zero points of values are zero (uint8: 128)")};
  Flag<bool> perTensor{"per-tensor", Says("one scale for all channels of a weight")};
  Flag<std::string> biasCorrection{"bias-correction",
                                   Says("biases make up for what rounding shifts (auto: if it helps)"),
                                   Takes("auto|on|off"), Initially("auto")};
  Flag<std::string> equalize{"equalize", Says("even out ranges of channels between layers first (auto: if it helps)"),
                             Takes("auto|on|off"), Initially("auto")};
  Flag<bool> sensitivity{"sensitivity", Says("measure what quantizing each layer alone loses")};
  Flag<double> maxLoss{"max-loss",
                       Says("leave layers float, those first that lose most, until no more than this is lost "
                            "(0.01: outputs are 1 % off)"),
                       Takes("loss")};
  Flag<unsigned> trialSamples{"trial-samples", Says("how many of the samples choices are tried on"), Takes("n"),
                              AtLeast(1), Initially(32)};
  Flag<int> threads{"threads", Says("how many threads the runs on samples take; the result is the same"), Takes("n"),
                    AtLeast(1), Initially(1)};
  Flag<bool> dynamic{"dynamic", Says("instead: ranges of values are found in each call, no samples needed")};
  Flag<std::string> weightsOnly{"weights-only",
                                Says("instead: only weights become integers; N of them share a scale (default: "
                                     "int8 a channel, int4 32)"),
                                Takes("int8|int4[:N]")};
  Flag<bool> fp16{"fp16", Says("instead: float16 throughout")};
  Flag<bool> bf16{"bf16", Says("instead: bfloat16 throughout")};
  Flag<std::string> report{"report", Says("write the report as JSON beside the model"), Takes("name")};
  HtmlFlag html;
  JsonFlag asJson;
  Flag<std::string> cxx{"cxx", Says("the C++ compiler for programs that run the samples"), Takes("program")};

  /// Checks the values; false after a message.
  bool check(quantize::StaticOptions &options, quantize::WeightsOnly &form) const;
  /// Neither of the ways that go without samples is asked for.
  bool isStatic() const { return !dynamic && weightsOnly.empty() && !fp16 && !bf16; }
  /// How models are compiled for this machine.
  bool toJob(CompileJob &job) const;
};

} // namespace sinter
