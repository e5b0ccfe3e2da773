// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing of dependency files in make's syntax, which ninja and CMake read too.
#include "driver/depfile.h"

#include "driver/file_contents.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {

std::string makeEscaped(StringRef path) {
  std::string escaped;
  size_t backslashes = 0; // right before c: they count double in front of a blank
  for (char c : path) {
    if (c == ' ' || c == '\t')
      escaped.append(backslashes + 1, '\\');
    else if (c == '#')
      escaped += '\\';
    else if (c == '$')
      escaped += '$';
    backslashes = c == '\\' ? backslashes + 1 : 0;
    escaped += c;
  }
  return escaped;
}

std::vector<std::string> dependenciesOf(const CompileJob &job, const CompiledModel &compiled) {
  std::vector<std::string> files = {job.model};
  for (const ModelSummary::ExternalFile &file : compiled.summary.externalFiles)
    files.push_back(file.path);
  files.insert(files.end(), compiled.otherInputs.begin(), compiled.otherInputs.end());
  files.insert(files.end(), job.customFiles.begin(), job.customFiles.end());
  return files;
}

Error writeDepfile(StringRef path, StringRef made, const CompileJob &job, const CompiledModel &compiled) {
  return writeFile(path, [&](raw_ostream &out) {
    out << makeEscaped(made) << ":";
    for (const std::string &file : dependenciesOf(job, compiled))
      out << " " << makeEscaped(file) << " \\\n ";
    static int anchor;
    out << " " << makeEscaped(sys::fs::getMainExecutable("sinter", &anchor)) << "\n";
  });
}

} // namespace sinter
