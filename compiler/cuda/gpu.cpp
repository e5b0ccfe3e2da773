// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of targets/cuda.
#include "cuda/gpu.h"

#include "support/embedded.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using namespace sinter;

LLVM_YAML_IS_SEQUENCE_VECTOR(GpuArch)
LLVM_YAML_IS_SEQUENCE_VECTOR(GpuBoard)

template <>
struct yaml::MappingTraits<GpuArch> {
  static void mapping(yaml::IO &io, GpuArch &arch) {
    io.mapRequired("sm", arch.sm);
    io.mapRequired("summary", arch.summary);
    io.mapOptional("tegra", arch.isTegra);
    io.mapOptional("default", arch.isDefault);
    io.mapRequired("shared", arch.shared);
    io.mapRequired("shared_per_block", arch.sharedPerBlock);
    io.mapRequired("shared_unit", arch.sharedUnit);
    io.mapOptional("shared_reserved", arch.sharedReserved);
    io.mapRequired("blocks", arch.blocks);
    io.mapRequired("threads", arch.threads);
    io.mapOptional("registers_per_block", arch.registersPerBlock);
    io.mapRequired("fp32", arch.fp32PerClock);
    io.mapRequired("fp16", arch.fp16PerClock);
    io.mapOptional("sync", arch.syncPerClock);
    io.mapRequired("board", arch.board);
  }
};

template <>
struct yaml::MappingTraits<GpuBoard> {
  static void mapping(yaml::IO &io, GpuBoard &board) {
    io.mapRequired("name", board.name);
    io.mapRequired("summary", board.summary);
    io.mapRequired("sm", board.sm);
    io.mapOptional("cpu", board.cpu);
    io.mapRequired("sms", board.sms);
    io.mapRequired("clock_mhz", board.clockMhz);
    io.mapRequired("gbytes_per_second", board.gbytesPerSecond);
    io.mapRequired("l2_kbytes", board.l2Kbytes);
    io.mapRequired("l2_gbytes_per_second", board.l2GbytesPerSecond);
    io.mapRequired("memory_ns", board.memoryNanoseconds);
    io.mapRequired("l2_ns", board.l2Nanoseconds);
    io.mapRequired("gap_us", board.gapMicroseconds);
    io.mapOptional("early_gap_us", board.earlyGapMicroseconds);
  }
};

namespace sinter {
namespace gpus {
extern const EmbeddedFile embedded[];
}

namespace {
template <class Row>
std::vector<Row> readTable(StringRef name) {
  for (const EmbeddedFile *file = gpus::embedded; file->name; ++file) {
    if (name != file->name)
      continue;
    std::vector<Row> rows;
    yaml::Input input(file->text);
    input >> rows;
    if (input.error())
      break;
    return rows;
  }
  report_fatal_error("targets/cuda/" + name + " cannot be read");
}
} // namespace

const std::vector<GpuArch> &gpuArchs() {
  static const std::vector<GpuArch> archs = readTable<GpuArch>("sms.yaml");
  return archs;
}

const std::vector<GpuBoard> &gpuBoards() {
  static const std::vector<GpuBoard> boards = readTable<GpuBoard>("boards.yaml");
  return boards;
}

const GpuArch *findGpuArch(int sm) {
  auto found = llvm::find_if(gpuArchs(), [&](const GpuArch &arch) { return arch.sm == sm; });
  return found == gpuArchs().end() ? nullptr : &*found;
}

const GpuBoard *findGpuBoard(StringRef name) {
  auto found = llvm::find_if(gpuBoards(), [&](const GpuBoard &board) { return board.name == name; });
  return found == gpuBoards().end() ? nullptr : &*found;
}

} // namespace sinter
