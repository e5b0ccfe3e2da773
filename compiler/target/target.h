// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code is made for: a CPU, its compiler, and a way to run programs of it. The descriptions are
// ../../targets/*.yaml, embedded in the binary; this reads them, adds the features of "NAME+feature", and finds the
// machine that we run on.
#pragma once

#include "target/gpu_model.h"
#include "target/machine.h"

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace sinter {

enum class TargetKind { Cpu, Microcontroller, WebAssembly, Gpu };

/// Which kernels contractions of bytes take: a folder of compiler/kernels.
enum class ByteKernels { None, Dot4, Im2col, Dual };
/// How four bytes by four are multiplied and added up (Dot4): by instructions of these names, in pairs by x86's
/// pmaddubsw, or by 16-bit products (templates/dot4/int_dot.h).
enum class DotProduct { Plain, Pairs, AvxVnni, Vnni, Neon, Dotprod, I8mm };
/// How im2col rows are multiplied: templates/im2col/row_core_*.h.
enum class Im2colCores { Biased, Plain, Vectors };

/// What objects of the target's operating system are: how assembly names sections and symbols.
enum class ObjectFormat { Elf, Coff, MachO, Wasm };

/// Of memory, what each way of a first-level cache maps once: lines so far apart share a set of it.
inline constexpr int64_t cacheWayBytes = 4096;

/// Where data lies, as seen from a core; Behind: behind L2, in a cache that cores share.
enum class MemoryLevel { L1, L2, Behind, Memory };
llvm::StringRef nameOf(MemoryLevel level);

/// What kernels cost, in cycles, or on microcontrollers in instructions (counted on boards: docs/benchmarks.md).
struct KernelCosts {
  double perMac = 1;
  double perCall = 400;        ///< a call, and borders of tiles
  double perChannel = 0;       ///< of a depthwise convolution, in each call
  double perRereadElement = 0; ///< of the rows that one call reads after the last one has
  bool inPairs = false;        ///< two pixels at a time: of one row, or of two rows that are short and odd
};

/// Something that a CPU of the target may have: `--target x86-64-v4+vnni`.
struct TargetFeature {
  std::string name;
  std::string detect;                   ///< LLVM's name of the feature, by which the host's CPU is known
  std::string flag;                     ///< compiler flags, separated by spaces
  std::string offFlag;                  ///< the same without the feature
  std::string offSummary;               ///< what the target is without it
  bool byDefault = false;               ///< on unless taken away: `--target cortex-m4-fp`
  std::string arch;                     ///< a suffix of the target's `arch` flag
  std::string march;                    ///< the version of the architecture from which on assemblers know the feature
  std::string macro;                    ///< defined by compilers when the feature is on
  std::string check;                    ///< its name for __builtin_cpu_supports
  std::optional<DotProduct> dotProduct; ///< the target's when the feature is on
  bool tileRegisters = false;           ///< the target's when the feature is on
  bool termTiles = false;               ///< the target's when the feature is on
  bool bf16Squares = false;             ///< the target's when the feature is on
  bool fpu = false;                     ///< it is the FPU

  bool usesTileRegisters() const { return tileRegisters || termTiles; }
};

struct Target {
  std::string name; ///< resolved, with features: stands in header and report
  std::string base, summary;
  TargetKind kind = TargetKind::Cpu;  ///< a microcontroller has no operating system: programs are images for boards;
                                      ///< of WebAssembly what is made is a package of a module and a script;
                                      ///< of a GPU's target all else here describes the CPU of the host code
  std::vector<int> sms;               ///< of a GPU: the architectures that device code is made for, ascending
  GpuModel gpu;                       ///< of a GPU: the one that estimates are for
  std::string triple;                 ///< as GCC names it
  std::vector<std::string> compilers; ///< C++ compilers to look for when the host has the same architecture
  std::vector<std::string> crossCompilers; ///< and when it has another
  std::vector<std::string> packages;       ///< Debian's, that have the compilers and what runs programs
  std::string arch;                        ///< the flag that features add suffixes to
  std::vector<std::string> flags;          ///< other compiler flags
  bool fpu = true;                         ///< floats are computed by instructions, not by functions
  bool slowSubnormals = false;             ///< arithmetic on floats below 2^-126 takes a hundred times as long
  int vectorBytes = 4;                     ///< width of the vectors that kernels are made of; 4: one float
  int vectorRegisters = 0;                 ///< 0: no vectors
  bool fmaByLane = false;                  ///< an fma may take one lane of a vector for all of an operand
  ByteKernels byteKernels = ByteKernels::None;
  DotProduct dotProduct = DotProduct::Plain; ///< of Dot4
  bool tileRegisters = false;                ///< of Dot4: whole tiles of bytes are multiplied (AMX)
  bool termTiles = false;                    ///< whole tiles of bf16 are multiplied, of which floats are sums (AMX)
  bool bf16Squares = false; ///< of Dot4: an instruction multiplies two rows of four bf16 by two columns
  Im2colCores im2colCore = Im2colCores::Plain; ///< of Im2col
  std::optional<KernelCosts> costs;            ///< none: by the vectors
  int64_t alignment = 64;                      ///< bytes that the arena, weights and what lies in them are aligned to
  int64_t l2Kbytes = 0;                ///< of second-level cache that one core may count on; 0: all memory is alike
  int64_t bytesPerCycle = 16;          ///< that a core moves from and to what lies behind L2
  MachineModel machine;                ///< what else is known of a core and its caches
  std::string weights = "incbin";      ///< how they are carried unless --weights says
  std::vector<std::string> required;   ///< LLVM's names of the features that the CPU has at least
  std::vector<std::string> macros;     ///< without these the generated code says #error
  std::vector<std::string> absent;     ///< those that no compiler defines for it: what they guard is left out
  bool portable = false;               ///< any C++17 compiler of any CPU: no extension is counted on
  std::vector<std::string> checks;     ///< __builtin_cpu_supports of each, else status 6 at run time
  std::vector<std::string> runFlags;   ///< of programs that sinter itself makes and runs; users have flags of their own
  std::vector<std::string> runner;     ///< command that runs a program of the target on another architecture
  std::vector<std::string> boards;     ///< those that run it (board.h), of a microcontroller; the first by default
  std::vector<TargetFeature> features; ///< those on offer
  std::vector<std::string> enabled;    ///< names of those that are on

  bool has(llvm::StringRef feature) const;
  /// Whether its programs have to ask the system for registers.
  bool usesTileRegisters() const { return tileRegisters || termTiles; }
  bool isMicrocontroller() const { return kind == TargetKind::Microcontroller; }
  bool isWebAssembly() const { return kind == TargetKind::WebAssembly; }
  bool isGpu() const { return kind == TargetKind::Gpu; }
  ObjectFormat objectFormat() const;
  /// Whether this machine has its architecture and operating system.
  bool isOfThisSystem() const;
  /// Whether its compilers define a macro; nullopt where that depends on the compiler or its flags.
  std::optional<bool> defines(llvm::StringRef macro) const;
  /// Floats of a vector; where there are none, those that kernels go by all the same.
  int64_t lanes() const { return vectorBytes < 16 ? 4 : vectorBytes / 4; }
  /// Multiply-adds of floats that a core does at most in a cycle, and of bytes.
  double macsPerCycle() const;
  double byteMacsPerCycle() const;
  /// Where a working set of so many bytes lies.
  MemoryLevel levelOf(double bytes) const;
  /// Bytes that a core reads in a cycle from there.
  double bytesPerCycleFrom(MemoryLevel level) const;
  /// What the target is, with the features that are on.
  std::string description() const;
  /// All compiler flags that the target asks for.
  std::vector<std::string> compilerFlags() const;
};

/// Names of all targets, sorted.
std::vector<std::string> targetNames();

/// "cortex-a53", "x86-64-v4+vnni-bf16", "host", or a description in YAML of one's own: the file "my_core.yaml", or its
/// text "{base: cortex-m4, alignment: 4}". Empty, with a message that lists what there is, when there is no such target
/// or feature. Features that the base name turns on can be taken away with -feature where they were added, never below
/// the target's own.
std::optional<Target> findTarget(llvm::StringRef spec, std::string &problem);

/// What a file says of a machine (l2_kbytes, bytes_per_cycle, machine) goes into a target of which all else stays.
/// Empty, or what is wrong. Files are what `sinter bench --machine` writes, or any target's description.
std::string takeMachine(llvm::StringRef path, Target &target);

/// The target that describes this machine best.
Target hostTarget();

/// Whether this machine runs programs of the target without a runner.
bool runsOnHost(const Target &target);

} // namespace sinter
