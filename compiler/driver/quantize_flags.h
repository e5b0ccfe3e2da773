// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags of sinter quantize.
#pragma once

#include "driver/model_flags.h"
#include "quantize/static.h"
#include "quantize/weights_only.h"

namespace sinter {

struct QuantizeFlags : ModelFlags {
  Flag<std::string> output{"o", llvm::cl::Required, llvm::cl::desc("the quantized model"),
                           llvm::cl::value_desc("FILE.onnx")};
  Flag<std::string> data{"data", llvm::cl::desc("folder of samples: a file (.npy, .pb, else raw bytes) per input"),
                         llvm::cl::value_desc("folder")};
  Flag<std::string> calibrate{"calibrate", llvm::cl::desc("how ranges are chosen (default: the way that loses least)"),
                              llvm::cl::value_desc("best|minmax|percentile[=99.99]|entropy|mse"),
                              llvm::cl::init("best")};
  Flag<std::string> activations{"activations", llvm::cl::desc("the type of values between layers"),
                                llvm::cl::value_desc("int8|uint8"), llvm::cl::init("int8")};
  Flag<bool> symmetric{"symmetric", llvm::cl::desc("zero points of values are zero (uint8: 128)")};
  Flag<bool> perTensor{"per-tensor", llvm::cl::desc("one scale for all channels of a weight")};
  Flag<std::string> biasCorrection{"bias-correction",
                                   llvm::cl::desc("biases make up for what rounding shifts (auto: if it helps)"),
                                   llvm::cl::value_desc("auto|on|off"), llvm::cl::init("auto")};
  Flag<std::string> equalize{"equalize",
                             llvm::cl::desc("even out ranges of channels between layers first (auto: if it helps)"),
                             llvm::cl::value_desc("auto|on|off"), llvm::cl::init("auto")};
  Flag<bool> sensitivity{"sensitivity", llvm::cl::desc("measure what quantizing each layer alone loses")};
  Flag<double> maxLoss{"max-loss",
                       llvm::cl::desc("leave layers float, those first that lose most, until no more than this is lost "
                                      "(0.01: outputs are 1 % off)"),
                       llvm::cl::value_desc("loss"), llvm::cl::init(0)};
  Flag<unsigned> trialSamples{"trial-samples", llvm::cl::desc("how many of the samples choices are tried on"),
                              llvm::cl::init(32)};
  Flag<bool> dynamic{"dynamic", llvm::cl::desc("instead: ranges of values are found in each call, no samples needed")};
  Flag<std::string> weightsOnly{
      "weights-only",
      llvm::cl::desc("instead: only weights become integers; N of them share a scale (default: "
                     "int8 a channel, int4 32)"),
      llvm::cl::value_desc("int8|int4[:N]")};
  Flag<bool> fp16{"fp16", llvm::cl::desc("instead: float16 throughout")};
  Flag<bool> bf16{"bf16", llvm::cl::desc("instead: bfloat16 throughout")};
  Flag<std::string> report{"report", llvm::cl::desc("write the report as JSON beside the model"),
                           llvm::cl::value_desc("name")};
  Flag<std::string> cxx{"cxx", llvm::cl::desc("the C++ compiler for programs that run the samples"),
                        llvm::cl::value_desc("program")};

  /// Checks the values; false after a message.
  bool check(quantize::StaticOptions &options, quantize::WeightsOnly &form) const;
  /// Neither of the ways that go without samples is asked for.
  bool isStatic() const { return !dynamic && weightsOnly.empty() && !fp16 && !bf16; }
  /// How models are compiled for this machine.
  bool toJob(CompileJob &job) const;
};

} // namespace sinter
