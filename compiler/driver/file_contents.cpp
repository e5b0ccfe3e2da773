// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/file_contents.h"

#include "driver/standard_output.h"

using namespace llvm;

namespace sinter {

Error writeFile(const Twine &path, llvm::function_ref<void(raw_ostream &)> print) {
  std::error_code code;
  auto printTo = [&](raw_fd_ostream &out, bool closes) {
    print(out);
    closes ? out.close() : out.flush();
    code = out.error();
    out.clear_error(); // or the destructor ends the program
  };
  if (isStandardOutput(path.str())) {
    outs().flush();
    raw_fd_ostream out(standardOutput(), /*shouldClose=*/false);
    printTo(out, false);
  } else if (raw_fd_ostream out(path.str(), code); !code) {
    printTo(out, true);
  }
  return code ? createStringError(code, path + ": " + code.message()) : Error::success();
}

Error writeFile(const Twine &path, StringRef contents) {
  return writeFile(path, [&](raw_ostream &out) { out << contents; });
}

} // namespace sinter
