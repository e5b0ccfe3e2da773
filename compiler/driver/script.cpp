// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/script.h"

#include "driver/cxx.h"
#include "driver/error_saying.h"
#include "driver/file_contents.h"
#include "support/embedded.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace scripts {
extern const EmbeddedFile embedded[];
}

namespace {
/// The Python that SINTER_PYTHON names, else python3.
Expected<std::string> findPython() {
  std::optional<std::string> given = sys::Process::GetEnv("SINTER_PYTHON");
  std::string name = given && !given->empty() ? *given : "python3";
  ErrorOr<std::string> found = sys::findProgramByName(name);
  if (!found)
    return errorSaying(name + " was not found; SINTER_PYTHON names a Python that has onnxruntime");
  return *found;
}

/// Writes the embedded scripts, which import each other, into a folder; returns the path of one.
Expected<std::string> writeScript(StringRef name, StringRef folder) {
  for (const EmbeddedFile *file = scripts::embedded; file->name; ++file)
    if (Error error = writeFile(folder + "/" + file->name, file->text))
      return std::move(error);
  return (folder + "/" + name).str();
}
} // namespace

Error runScript(StringRef name, ArrayRef<std::string> arguments, StringRef folder, StringRef failed, unsigned timeout) {
  Expected<std::string> python = findPython();
  if (!python)
    return python.takeError();
  Expected<std::string> script = writeScript(name, folder);
  if (!script)
    return script.takeError();
  std::vector<std::string> all = {*script};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::string problem, log = *script + ".log";
  int status = execute(*python, all, log, problem, timeout);
  if (status == 0)
    return Error::success();
  if (status == -2 && timeout > 0)
    return errorSaying(failed + ": it takes longer than " + Twine(timeout) + " s");
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(log);
  StringRef said = text ? (*text)->getBuffer().rtrim() : StringRef(problem);
  return errorSaying(failed + ": " + said.rsplit('\n').second + (said.contains('\n') ? "" : said));
}

} // namespace sinter
