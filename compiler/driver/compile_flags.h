// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags that say how a model is compiled, shared by compile, run, verify, bench and analyze.
#pragma once

#include "driver/decoder_flags.h"
#include "driver/model_flags.h"

namespace sinter {

struct CompileFlags : ModelFlags {
  Flag<std::string> target{FlagGroup::Code,
                           "target",
                           Says("what to compile for; `sinter targets` lists them, and a description of one's own is a "
                                "file .yaml. Several: one "
                                "library for all, whose calls take the best that the machine is"),
                           Takes("NAME[+feature|-feature...][,NAME...]"),
                           Initially("host"),
                           OneOf([] {
                             std::vector<std::string> names = targetNames();
                             names.insert(names.begin(), "host");
                             return names;
                           })};
  Flag<std::string> prefix{FlagGroup::Code, "prefix", Says("what all names begin with (default: the file's name)"),
                           Takes("name")};
  FlagList adapters{
      FlagGroup::Model, "adapter",
      Says("what fine-tuning added to the model: a folder with PEFT's LoRA, which is merged into the weights, "
           "or an .onnx_adapter file, whose values are those of inputs. With a name in front, sql=FOLDER, "
           "it stays beside the weights and is switched on and off where the model runs"),
      Takes("[NAME=]FOLDER | FILE")};
  FlagList overridable{FlagGroup::Interface, "overridable", Says("an input with an initializer stays an input"),
                       Takes("name")};
  FlagList specialize{
      FlagGroup::Code, "specialize",
      Says("besides the code for all sizes of a dim an exact copy for each of these, which calls of that "
           "size run; weights are shared. Of several dims: a copy for each combination. states: a copy for "
           "calls that ask for no outputs, which goes on with states alone"),
      Takes("seq=1,128 | states")};
  FlagList bounds{FlagGroup::Memory, "bound", Says("the most that a size which depends on data may be"),
                  Takes("NODE:OUTPUT=N")};
  Flag<std::string> textBytes{
      FlagGroup::Memory, "text-bytes",
      Says("bytes of the arena for the text of strings that a call makes (default: 64 for each)"),
      Takes("bytes, or 64K")};
  Flag<int> nchwcBlock{FlagGroup::Model, "nchwc-block",
                       Says("channels in a block of the maps of com.microsoft.nchwc (default: what the model tells)"),
                       Takes("8|16"), Initially(0)};
  Flag<bool> fast{FlagGroup::Code, "fast", Says("give up some exactness for speed; says what")};
  Flag<std::string> arenaLimit{FlagGroup::Memory, "arena-limit",
                               Says("the most bytes of the arena: if needed, feature maps "
                                    "are made in row tiles; what cannot fit fails"),
                               Takes("bytes, or 64K, 2M")};
  Flag<std::string> foldLimit{FlagGroup::Compiler, "fold-limit",
                              Says("the most steps of computing at compile time, beside what weights allow; "
                                   "what is beyond is computed at run time"),
                              Takes("steps, or 64K, 2M")};
  Flag<std::string> ram{FlagGroup::Memory, "ram",
                        Says("the arena in several regions of RAM, the fastest first, with the most bytes "
                             "each; what is read and written most lies in the first"),
                        Takes("fast=64K,slow=256K")};
  FlagList states{FlagGroup::Interface, "state",
                  Says("an output that goes back into an input: one buffer, updated in place"), Takes("out=in")};
  DecoderFlags decoder;
  Flag<std::string> io{FlagGroup::Interface, "io",
                       Says("inputs and outputs as the model has them, or integers where it quantizes them"),
                       Takes("model|quantized"), Initially("model")};
  Flag<bool> example{FlagGroup::Interface, "example",
                     Says("also a small C program that calls the model once: <prefix>_example.c")};
  FlagList inputs{FlagGroup::Interface, "input",
                  Says("the form in which an input is given: type, layout, order of channels; the model gets "
                       "(value - mean) * scale. For run, verify and bench also a file (.npy, .pb, else raw bytes), for "
                       "generate .npy, .pb, or a picture"),
                  Takes("NAME=u8,nhwc,bgr,mean=a:b:c,scale=1/255 | NAME=FILE")};
  FlagList outputs{FlagGroup::Interface, "output",
                   Says("the form in which an output is wanted: the index of the largest value, the largest values "
                        "with their indices, channels last, bytes"),
                   Takes("NAME=argmax | NAME=topk:5 | NAME=nhwc,u8")};
  Flag<bool> ioInArena{FlagGroup::Interface, "io-in-arena",
                       Says("inputs and outputs lie in the arena, at offsets in the header")};
  Flag<std::string> weights{FlagGroup::Memory, "weights",
                            Says("how weights are carried (default: the target's own, incbin)"),
                            Takes("incbin|cpp|file|section:NAME")};
  Flag<std::string> weightsInRam{
      FlagGroup::Memory, "weights-in-ram",
      Says("weights that start-up code copies to RAM: all, or as many bytes, those that are read most"),
      Takes("all|32K")};
  Flag<std::string> indexCheck{FlagGroup::Code, "index-check", Says("what an index out of range does at run time"),
                               Takes("error|clamp|trust"), Initially("error")};
  Flag<std::string> fit{FlagGroup::Code, "fit",
                        Says("what comes first: speed as far as it costs little memory, speed at the price "
                             "of working memory and longer weights, or less working memory"),
                        Takes("balanced|speed|ram"), Initially("balanced")};
  Flag<std::string> requant{FlagGroup::Code, "requant",
                            Says("how quantized nets multiply by their factors: in float, or in fixed point, "
                                 "as targets without an FPU do"),
                            Takes("auto|float|fixed"), Initially("auto")};
  Flag<std::string> subnormals{
      FlagGroup::Code, "subnormals",
      Says("which kernels take floats below 2^-126 for zeros, on CPUs that compute slowly with them: none, those that "
           "sum products, or all"),
      Takes("exact|products|zero"), Initially("products")};
  Flag<int> threads{FlagGroup::Code,
                    "threads",
                    Says("the most shares that a kernel's work is split into; programs run with as many threads"),
                    Takes("n"),
                    Initially(1),
                    AtLeast(1)};
  Flag<std::string> cxx{FlagGroup::Code, "cxx",
                        Says("the C++ compiler for libraries and programs (default: for this system what the "
                             "environment's CXX names, else the target's own)"),
                        Takes("program")};
  Flag<std::string> optimization{FlagGroup::Code,     "O",
                                 FlagTrait::Attached, Says("optimization of generated code"),
                                 Takes("0|1|2|3|s"),  Initially("2")};
  Flag<std::string> libraryText{
      FlagGroup::Code, "library-text",
      Says("where the library's part of generated code stands: what a model uses of it in its source, "
           "or all in a header that sources of many nets share"),
      Takes("inline|header"), Initially("inline")};
  Flag<std::string> machine{FlagGroup::Code, "machine",
                            Says("the numbers of the machine that kernels are chosen by, instead of the target's: what "
                                 "`sinter bench --machine FILE` measures and writes"),
                            Takes("file.yaml")};
  Flag<std::string> tuned{FlagGroup::Code, "tuned",
                          Says("take the kernels and tiles that --tune found to be faster, where it measured such "
                               "layers for this target"),
                          Takes("file.json")};
  FlagList nvrtc{FlagGroup::Code, "nvrtc",
                 Says("of a GPU: where NVRTC lies, which compiles device code (default: SINTER_NVRTC, toolkits, Python "
                      "packages)"),
                 Takes("folder")};
  FlagList disabledPasses{FlagGroup::Compiler, "disable-pass", Says("leave a pass out"), Takes("name")};
  FlagList dumpAfter{FlagGroup::Compiler, "dump-after", Says("print the IR after a pass, or after `all`"),
                     Takes("name")};
  Flag<bool> dumpChoices{FlagGroup::Compiler, "dump-choices",
                         Says("print which kernels could compute each contraction, and why others could not")};
  Flag<bool> timePasses{FlagGroup::Compiler, "time-passes", Says("print what each pass took")};
  Flag<bool> verifyEach{FlagGroup::Compiler, "verify-each", Says("check the IR after each pass"), FlagTrait::Hidden};
  Flag<std::string> templates{FlagGroup::Compiler, "templates",
                              Says("folder with templates/ and runtime-lite/ to use instead of the built-in ones"),
                              Takes("folder"), FlagTrait::Hidden};

  /// Checks the values; false after a message.
  bool toJob(CompileJob &job) const;
  /// Of --input, those that name files.
  std::vector<std::string> inputFiles() const;
  /// For verbs that ask another runtime what is right: false after a message if it cannot know.
  bool othersKnowTheModel() const;
  /// For verbs that run nothing: false after a message if there are some.
  bool takesNoFiles() const;

private:
  /// --machine and --tuned; false after a message.
  bool takeMeasured(CompileJob &job) const;
  /// A flag that was given and means nothing for such a target, and why.
  std::optional<std::pair<std::string, std::string>> strangeTo(const Target &found) const;
};

/// The C identifier that a file's stem becomes: what the prefix is unless given.
std::string prefixOf(llvm::StringRef path);

} // namespace sinter
