// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of the model, for people (kws_report.txt) and scripts (kws_report.json): memory, kernels and why each was
// chosen. Nothing here depends on the host; sizes that only a compiler knows are "not measured".
#pragma once

#include "codegen/abi/abi_header.h"
#include "codegen/kernels/kernel_list.h"
#include "codegen/report/device_time.h"
#include "codegen/run/programs.h"
#include "kernels/kernel_time.h"

#include "llvm/Support/JSON.h"

namespace sinter {

struct ReportedBuffer {
  std::string place; ///< "arena", "weights", "input", "output"
  int64_t offset = -1;
  int64_t bytes = -1; ///< -1: known at run time
  ValueName value;    ///< of an output: the ONNX value that it is
  mlir::MemRefType type;
};

/// A buffer of the arena, needed from one call to another.
struct LiveTensor {
  int64_t offset, bytes;
  std::string type, nodes; ///< and what made it
  int64_t accesses = 0;    ///< --ram: bytes of it read and written in a call, by estimate
  size_t first = 0, last = 0;
};

/// --ram: what lies in a region of the arena, the hottest first.
struct RegionUse {
  InterfaceRegion region;
  std::vector<LiveTensor> tensors;
};

struct CopyReason {
  size_t call;
  std::string reason;
};

/// A float tensor in memory between the first quantization and the last dequantization.
struct QuantizedFloat {
  size_t call; ///< that writes it
  std::string reason;
};

/// An input that the call updates in place.
struct ReportedState {
  size_t input;                   ///< of the interface
  std::optional<int64_t> written; ///< bytes that one call writes there, at most; nothing: sizes without a bound
};

struct ReportedCall {
  std::vector<ReportedBuffer> inputs, outputs;
  int64_t macs = 0; ///< of one run, those on what fills up channel blocks included; sizes that vary at their largest
  int64_t iterations = 0; ///< of its innermost loop in one run, at most
  bool isBounded = true;  ///< false: loops of the model run it until their condition fails
  int64_t repeats = 1;    ///< how often loops of the model run it in one call
  int64_t weightBytes = 0;
  int64_t ownWeightBytes = 0;     ///< of those, what no call before reads
  int64_t liveBytes = 0;          ///< of the arena while the call runs
  CandidatesAttr candidates;      ///< of a contraction: the kernels that were asked
  std::optional<KernelTime> time; ///< of one run on a CPU, estimated
};

/// Of a GPU.
struct DeviceReport {
  DeviceBuild build;
  std::vector<HostRead> reads;                       ///< where a call waits for a value
  GpuModel gpu;                                      ///< that times are modelled for
  std::vector<std::optional<DeviceTime>> times = {}; ///< per call

  /// Of one call of the model: microseconds in kernels and between them, and launches; how many of them have no time.
  struct Sum {
    double microseconds = 0, gaps = 0;
    int64_t launches = 0, unknown = 0;
  };
};

/// A program behind the first: for another CPU, or an exact copy for some calls, or both.
struct ReportedProgram {
  std::string cpu;
  std::vector<ExactSize> sizes;
  bool onlyStates;             ///< it makes no outputs but states
  size_t firstCall, callCount; ///< of Report::calls
  int64_t arenaBytes;
  int64_t ownWeightBytes = 0; ///< what no program before reads
};

struct Report {
  std::vector<ReportedCall> calls; ///< as KernelList::calls
  size_t callsAtAllSizes = 0;      ///< the first so many; the others are of exact copies
  std::vector<ReportedProgram> otherPrograms;
  int64_t macs = 0;            ///< of one call of the model as given
  int64_t removedChannels = 0; ///< of contractions, constant or read by nobody
  int64_t macsLeft = 0;        ///< without them
  std::vector<CopyReason> copies;
  int64_t attentions = 0, norms = 0; ///< calls of kernels that are one
  std::vector<QuantizedFloat> quantizedFloats;
  std::vector<ReportedState> states;
  size_t peakCall = 0;                ///< the call that needs most of the arena
  std::vector<LiveTensor> liveAtPeak; ///< largest first
  std::vector<RegionUse> regions;
  std::vector<LiveTensor> buffers; ///< all of the arena
  std::optional<DeviceReport> device;
  double rowTilingWork = 1; ///< of chains of feature maps, estimated: a share of what one op after the other takes
  std::map<std::string, int64_t> weightBytesByType;
  std::map<std::string, int64_t> callsByKernel; ///< "conv", "copy", "attention", ...
};

/// The first program says what was counted before and while it was optimized.
Report makeReport(const KernelList &kernels, const Interface &interface, llvm::ArrayRef<PrintedProgram> programs);
/// Fills in what each call takes by the cost model of CPUs. report_estimates.cpp
void estimateTimes(Report &report, const KernelList &kernels, const Interface &interface, const Target &target,
                   int64_t threads);
void printEstimateJson(llvm::json::OStream &out, const ReportedCall &facts);
/// The sum, and the numbers of the machine that it goes by.
void printEstimatesJson(llvm::json::OStream &out, const Report &report, const Target &target);
void printEstimatesText(llvm::raw_ostream &out, const Report &report, const Target &target);
/// "1.25 us L2"; empty where nothing is known.
std::string estimateText(const ReportedCall &facts);
/// Where choices can be measured: the question, the answers, the one that was taken. report_tuning.cpp
void printTuningJson(llvm::json::OStream &out, const PrintedCall &call);
/// Why a copy is left: what the pass that gave up said, or what the op itself tells. copy_reason.cpp
std::string reasonOfCopy(mlir::Operation *copy);
/// quantized_floats.cpp
std::vector<QuantizedFloat> findQuantizedFloats(llvm::ArrayRef<PrintedCall> calls, const Interface &interface);
/// state_use.cpp
std::vector<ReportedState> findStates(llvm::ArrayRef<PrintedCall> calls, const Interface &interface);
/// The buffer that a view looks at.
mlir::Value bufferOf(mlir::Value value);
/// Microseconds of all calls, which loops of the model repeat. report_times.cpp
DeviceReport::Sum sumOfTimes(const Report &report);
void printTimesText(llvm::raw_ostream &out, const Report &report, const KernelList &kernels);
/// In "device": what the times are for, and their sum.
void printTimesJson(llvm::json::OStream &out, const Report &report);
/// Of a call.
void printTimeJson(llvm::json::OStream &out, const std::optional<DeviceTime> &time);
/// report_device.cpp
void printDeviceText(llvm::raw_ostream &out, const DeviceReport &device, const KernelList &kernels);
void printDeviceJson(llvm::json::OStream &out, const Report &report, const KernelList &kernels);
/// Of the function that a call is of: how it is launched, and what it takes of each SM.
void printLaunchJson(llvm::json::OStream &out, const DeviceReport &device, const PrintedFunction &function,
                     size_t number);
ArenaPeak describePeak(const Report &report, const Interface &interface, const KernelList &kernels);
std::string printReportJson(const Report &report, const Interface &interface, const ModelNames &names,
                            const KernelList &kernels, const CodegenOptions &options, int64_t weightsBytes);
std::string printReportText(const Report &report, const Interface &interface, const ModelNames &names,
                            const KernelList &kernels, const CodegenOptions &options, int64_t weightsBytes);

} // namespace sinter
