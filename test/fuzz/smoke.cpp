// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A main function for fuzz targets that needs no libFuzzer and no instrumented compiler: a few inputs, and changes of
// them from fixed seeds, the same in each run. What the target dies of is printed before.
//   smoke-TARGET [--every N] [--changes N] [--first SEED] [--suffix .onnx] [--keep FOLDER] [--seconds N] [FOLDER]
// takes the files below FOLDER; without one no bytes, changed.
// With --keep each input has a child of its own, with limits on time and memory; those that it dies of are kept there,
// the rest goes on.
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static std::mt19937 bytes;

/// libFuzzer's, in short: a byte changes, goes or comes.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  if (size == 0) {
    if (most == 0)
      return 0;
    data[0] = static_cast<uint8_t>(bytes());
    return 1;
  }
  size_t at = bytes() % size;
  switch (bytes() % 3) {
  case 0:
    std::memmove(data + at, data + at + 1, size - at - 1);
    return size - 1;
  case 1:
    if (size < most) {
      std::memmove(data + at + 1, data + at, size - at);
      ++size;
    }
    [[fallthrough]];
  default:
    data[at] = static_cast<uint8_t>(bytes());
    return size;
  }
}

namespace {
/// The small files below a folder whose names end so.
std::vector<std::string> filesIn(llvm::StringRef folder, llvm::StringRef suffix) {
  constexpr uint64_t largest = 8192;
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator entry(folder, code), end; entry != end && !code;
       entry.increment(code)) {
    uint64_t size = 0;
    if (llvm::StringRef(entry->path()).ends_with(suffix) && !llvm::sys::fs::file_size(entry->path(), size) &&
        size <= largest)
      paths.push_back(entry->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string contentsOf(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return file ? (*file)->getBuffer().str() : std::string();
}

class Runs {
public:
  Runs(std::string keep, std::string suffix, unsigned seconds)
      : keep(std::move(keep)), suffix(std::move(suffix)), seconds(seconds) {}
  size_t count = 0, died = 0;

  void run(const std::string &input, llvm::StringRef name, unsigned change) {
    ++count;
    if (keep.empty()) {
      std::fprintf(stderr, "%s, change %u\n", name.str().c_str(), change); // what stands last is what it died of
      test(input);
      return;
    }
    pid_t child = fork();
    if (child == 0) {
      constexpr rlim_t bytes = rlim_t(4) << 30;
      const rlimit time = {seconds, seconds + 1}, memory = {bytes, bytes};
      setrlimit(RLIMIT_CPU, &time);
      setrlimit(RLIMIT_AS, &memory);
      test(input);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0)
      return;
    std::string path =
        keep + "/" + std::to_string(died++) + "-" + std::to_string(status) + "-" + std::to_string(change) + suffix;
    std::fprintf(stderr, "%s: %s, change %u\n", path.c_str(), name.str().c_str(), change);
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << input;
  }

private:
  static void test(const std::string &input) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
  }
  std::string keep, suffix;
  unsigned seconds;
};
} // namespace

int main(int argc, char **argv) {
  unsigned every = 1, changes = 2, first = 1, seconds = 30;
  std::string folder, keep, suffix = ".onnx";
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef flag = argv[i];
    unsigned *number = flag == "--every"     ? &every
                       : flag == "--changes" ? &changes
                       : flag == "--first"   ? &first
                       : flag == "--seconds" ? &seconds
                                             : nullptr;
    if ((flag == "--keep" || flag == "--suffix") && i + 1 < argc)
      (flag == "--keep" ? keep : suffix) = argv[++i];
    else if (!number)
      folder = argv[i];
    else if (++i == argc || llvm::StringRef(argv[i]).getAsInteger(10, *number) || every == 0)
      return 1;
  }
  std::vector<std::string> paths = filesIn(folder, suffix);
  if (paths.empty())
    paths = {""};
  Runs runs(keep, suffix, seconds);
  for (size_t file = 0; file < paths.size(); file += every) {
    std::string seed = contentsOf(paths[file]);
    runs.run(seed, paths[file], 0);
    for (unsigned change = first; change < first + changes; ++change) {
      constexpr size_t more = 512;
      std::string input = seed;
      size_t size = input.size(), most = size + more;
      input.resize(most);
      auto *data = reinterpret_cast<uint8_t *>(input.data());
      unsigned number = change * 2654435761u + static_cast<unsigned>(file);
      bytes.seed(number);
      if (LLVMFuzzerCustomMutator)
        size = LLVMFuzzerCustomMutator(data, size, most, number);
      else
        size = LLVMFuzzerMutate(data, size, most);
      input.resize(size);
      runs.run(input, paths[file], change);
    }
  }
  std::printf("%zu inputs, %zu died\n", runs.count, runs.died);
  return runs.died != 0;
}
