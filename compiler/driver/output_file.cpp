// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/output_file.h"

#include "driver/file_contents.h"
#include "driver/staging.h"
#include "driver/standard_output.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {

bool writesOverInput(StringRef output, StringRef input, Diagnostics &diagnostics) {
  if (!sys::fs::exists(output) || !sys::fs::equivalent(output, input))
    return false;
  diagnostics.report({Code::OutputIsInput, "the output is the model itself", {}, "name another file with -o"});
  return true;
}

namespace {
/// Standard output, a pipe or a device: it is written to, and nothing takes its place.
bool isStream(StringRef path) {
  sys::fs::file_status status;
  return isStandardOutput(path) || (!sys::fs::status(path, status) && sys::fs::is_other(status));
}

Error writeStream(const OutputFile &file) {
  return file.write ? writeFile(file.path, file.write) : writeFile(file.path, file.bytes);
}

/// The file behind links, which stay.
std::string behindLinks(StringRef path) {
  SmallString<128> real;
  return sys::fs::is_symlink_file(path) && !sys::fs::real_path(path, real) ? real.str().str() : path.str();
}
} // namespace

Error writeOutputs(ArrayRef<OutputFile> files) {
  std::vector<std::unique_ptr<Staging>> made;
  auto inReverse = make_scope_exit([&] { // the first may have made the folder that all of them lie in
    while (!made.empty())
      made.pop_back();
  });
  std::vector<std::string> places;
  for (const OutputFile &file : files) {
    places.emplace_back();
    if (isStream(file.path)) {
      made.push_back(nullptr);
      continue;
    }
    if (sys::fs::is_directory(file.path))
      return createStringError(std::errc::is_a_directory, "%s is a folder", file.path.str().c_str());
    places.back() = behindLinks(file.path);
    auto staging = Staging::beside(sys::path::parent_path(places.back()));
    if (!staging)
      return staging.takeError();
    made.push_back(std::move(*staging));
    StringRef name = sys::path::filename(places.back());
    if (Error error = file.write ? made.back()->write(name, file.write) : made.back()->write(name, file.bytes))
      return error;
  }
  for (auto [staging, file, place] : zip(made, files, places))
    if (Error error = staging ? staging->publish({sys::path::filename(place).str()}) : writeStream(file))
      return error;
  return Error::success();
}

} // namespace sinter
