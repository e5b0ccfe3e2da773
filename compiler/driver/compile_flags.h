// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags that say how a model is compiled, shared by compile, run, verify, bench and analyze.
#pragma once

#include "driver/model_flags.h"

namespace sinter {

struct CompileFlags : ModelFlags {
  Flag<std::string> target{
      "target",
      llvm::cl::desc(
          "what to compile for; `sinter targets` lists them, and a description of one's own is a file .yaml"),
      llvm::cl::value_desc("NAME[+feature|-feature...]"), llvm::cl::init("host")};
  Flag<std::string> prefix{"prefix", llvm::cl::desc("what all names begin with (default: the file's name)"),
                           llvm::cl::value_desc("name")};
  FlagList<std::string> overridable{"overridable", llvm::cl::desc("an input with an initializer stays an input"),
                                    llvm::cl::value_desc("name")};
  FlagList<std::string> bounds{"bound", llvm::cl::desc("the most that a size which depends on data may be"),
                               llvm::cl::value_desc("NODE:OUTPUT=N")};
  Flag<bool> fast{"fast", llvm::cl::desc("give up some exactness for speed; says what")};
  Flag<std::string> arenaLimit{"arena-limit",
                               llvm::cl::desc("the most bytes of the arena: if needed, feature maps "
                                              "are made in stripes; what cannot fit fails"),
                               llvm::cl::value_desc("bytes, or 64K, 2M")};
  Flag<std::string> foldLimit{"fold-limit",
                              llvm::cl::desc("the most steps of computing at compile time, beside what weights allow; "
                                             "what is beyond is computed at run time"),
                              llvm::cl::value_desc("steps, or 64K, 2M")};
  Flag<std::string> ram{"ram",
                        llvm::cl::desc("the arena in several regions of RAM, the fastest first, with the most bytes "
                                       "each; what is read and written most lies in the first"),
                        llvm::cl::value_desc("fast=64K,slow=256K")};
  FlagList<std::string> states{"state",
                               llvm::cl::desc("an output that goes back into an input: one buffer, updated in place"),
                               llvm::cl::value_desc("out=in")};
  Flag<std::string> io{"io",
                       llvm::cl::desc("inputs and outputs as the model has them, or integers where it quantizes them"),
                       llvm::cl::value_desc("model|quantized"), llvm::cl::init("model")};
  Flag<bool> ioInArena{"io-in-arena", llvm::cl::desc("inputs and outputs lie in the arena, at offsets in the header")};
  Flag<std::string> weights{"weights", llvm::cl::desc("how weights are carried (default: the target's own, incbin)"),
                            llvm::cl::value_desc("incbin|cpp|file|section:NAME")};
  Flag<std::string> weightsInRam{
      "weights-in-ram",
      llvm::cl::desc("weights that start-up code copies to RAM: all, or as many bytes, those that are read most"),
      llvm::cl::value_desc("all|32K")};
  Flag<std::string> indexCheck{"index-check", llvm::cl::desc("what an index out of range does at run time"),
                               llvm::cl::value_desc("error|clamp|trust"), llvm::cl::init("error")};
  Flag<std::string> fit{"fit",
                        llvm::cl::desc("what comes first: speed as far as it costs little memory, speed at the price "
                                       "of working memory and longer weights, or less working memory"),
                        llvm::cl::value_desc("balanced|speed|ram"), llvm::cl::init("balanced")};
  Flag<std::string> requant{"requant",
                            llvm::cl::desc("how quantized nets multiply by their factors: in float, or in fixed point, "
                                           "as targets without an FPU do"),
                            llvm::cl::value_desc("auto|float|fixed"), llvm::cl::init("auto")};
  Flag<int> threads{
      "threads",
      llvm::cl::desc("the most shares that a kernel's work is split into; programs run with as many threads"),
      llvm::cl::init(1)};
  Flag<std::string> cxx{"cxx",
                        llvm::cl::desc("the C++ compiler for libraries and programs (default: the target's own)"),
                        llvm::cl::value_desc("program")};
  Flag<std::string> optimization{"O", llvm::cl::Prefix, llvm::cl::desc("optimization of generated code: 0 to 3, or s"),
                                 llvm::cl::init("2")};
  FlagList<std::string> disabledPasses{"disable-pass", llvm::cl::desc("leave a pass out"),
                                       llvm::cl::value_desc("name")};
  FlagList<std::string> dumpAfter{"dump-after", llvm::cl::desc("print the IR after a pass, or after `all`"),
                                  llvm::cl::value_desc("name")};
  Flag<bool> timePasses{"time-passes", llvm::cl::desc("print what each pass took")};
  Flag<bool> verifyEach{"verify-each", llvm::cl::desc("check the IR after each pass"), llvm::cl::Hidden};
  Flag<std::string> templates{
      "templates", llvm::cl::desc("folder with templates/ and runtime-lite/ to use instead of the built-in ones"),
      llvm::cl::value_desc("folder"), llvm::cl::Hidden};

  /// Checks the values; false after a message.
  bool toJob(CompileJob &job) const;
};

/// The C identifier that a file's stem becomes: what the prefix is unless given.
std::string prefixOf(llvm::StringRef path);

} // namespace sinter
