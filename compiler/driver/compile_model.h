// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole way: a .onnx file to generated sources in a folder. The verbs and the conformance driver call it; flags:
// compile_flags.h.
#pragma once

#include "adapter/merge_adapter.h"
#include "codegen/codegen.h"
#include "driver/device_images.h"
#include "driver/interface_specs.h"
#include "driver/verbs.h"
#include "frontend/import.h"
#include "graph/input_hints.h"
#include "ir/named_polynomial.h"
#include "ops/conversion.h"
#include "pipeline/pipeline.h"

#include <map>

namespace sinter {

class Staging;

/// --specialize: dims, as --dim names them, and the size that each has.
using ExactDims = std::vector<std::pair<std::string, int64_t>>;

/// A program besides that for all calls: for those of some sizes, or for those that ask for no outputs.
struct ExactCopy {
  ExactDims dims;
  bool onlyStates = false; ///< it goes on with states and makes nothing else
};

/// What a draft must go with.
struct DraftOf {
  int64_t context = 0, vocabulary = 0;
  int64_t tokens = 0; ///< that both tokenizers have alike; 0: not known
};

/// --decoder: states, dims and exact copies follow from what the model's inputs and outputs are (decoder_job.h).
struct DecoderWish {
  std::optional<int64_t> context; ///< rows that caches hold at most; none: as many as the model has positions for
  int64_t batch = 1;
  /// Of sequences of several lengths: how many rows of caches they take side by side. Where these hold fewer, or the
  /// model takes no padding, the batch is 1. 0: sequences are equally long, or the caller sees to it.
  int64_t paddedRows = 0;
  std::optional<int64_t> chunk;  ///< new rows of one call at most; none: 32, behind an encoder 1
  std::optional<int64_t> source; ///< of an encoder: the most tokens or frames
  int64_t rows = 1;              ///< of a call the last ones, whose logits are there
  /// Of which layers the session has the cross-attentions; of none at all: of all layers; absent: of no layer.
  std::optional<std::vector<int64_t>> attentions;
  bool hidden = false;             ///< the session has what logits are made of
  std::string encoder;             ///< its file; empty: the one that lies beside the decoder
  std::string cache;               ///< fp16 or int8: what caches of floats are held as; empty: as the model has them
  std::vector<std::string> caches; ///< once they are found: inputs that are kept row by row
  std::string draft;               ///< the file of a smaller decoder that drafts for it; empty: none
  int64_t draftTokens = 0;         ///< how many tokens the tokenizers of both have, alike; 0: not known
  std::optional<DraftOf> draftOf;  ///< it is such a draft
  llvm::StringMap<std::vector<int64_t>> given; ///< sizes of what front ends are given, by inputs, where that is known
  bool hasSession = false; ///< also what <prefix>_session.h declares; the logits are those of the last rows
};

struct CompileJob {
  std::string model; ///< path
  ImportOptions import;
  ConversionOptions conversion;
  PipelineOptions pipeline;
  CodegenOptions codegen;
  /// Of --dim, sizes that are polynomials of other dims: total=past+seq.
  llvm::StringMap<NamedPolynomial> polynomials;
  std::vector<ExactCopy> exactCopies; ///< besides the program for all calls
  bool quantizedIo = false;           ///< --io quantized
  bool saysWhatSpeedGains = false;    ///< --fit speed: a note where nothing is faster
  std::optional<DecoderWish> decoder;
  std::vector<std::string> onlyOutputs;                 ///< all others are left out; none: all are there
  bool onlyStates = false;                              ///< outputs that are no states are left out
  std::vector<std::string> adapterPaths;                ///< --adapter: what fine-tuning added to the model
  std::vector<std::shared_ptr<const Adapter>> adapters; ///< of these, what is merged into weights, once it is read
  std::vector<std::string> switched;                    ///< names of those that are switched where the model runs
  AdapterSide adapterSide = AdapterSide::Whole;
  bool generates = false;   ///< a session, or a program that it calls: nothing of it is trained
  bool isFirstCall = false; ///< of a merged decoder the branch that makes the caches of cross-attention
  std::map<std::string, TunedChoices> tuned; ///< --tuned: by target
  bool saysTuned = false;                    ///< a note says what of it is of use
  size_t tunedElsewhere = 0;                 ///< and how many choices are of no use for the first
  DeviceFlags device;                        ///< of a GPU
  InterfaceForms forms;                      ///< --input and --output
  std::vector<std::string> customFiles;      ///< --custom-ops: descriptions, and the files that they name
};

struct CompiledModel {
  ModelSummary summary;
  std::vector<std::string> files;     ///< names of what lies in the folder now
  std::vector<std::string> libraries; ///< of the system, that it calls: "jpeg"
  Interface interface;
  int64_t weightsBytes = 0;
  std::optional<SessionPlan> session; ///< of a decoder
  int64_t draftWeights = 0;           ///< where those of a draft begin in the file that has both
  llvm::StringMap<InputHints> inputHints;
  std::vector<std::string> otherInputs; ///< files besides the model and its external data: of programs before a decoder

  std::vector<std::string> sources() const; ///< the .cpp files
};

/// Writes the generated files into the staging folder. ExitOk, or the status to end with after printing `diagnostics`.
ExitStatus compileModel(const CompileJob &job, const Staging &staging, Diagnostics &diagnostics,
                        CompiledModel &compiled);

} // namespace sinter
