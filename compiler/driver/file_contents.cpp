// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/file_contents.h"

using namespace llvm;

namespace sinter {

Error writeFile(const Twine &path, llvm::function_ref<void(raw_ostream &)> print) {
  std::error_code code;
  raw_fd_ostream out(path.str(), code);
  if (!code) {
    print(out);
    out.close();
    code = out.error();
    out.clear_error(); // or the destructor ends the program
  }
  return code ? createStringError(code, path + ": " + code.message()) : Error::success();
}

Error writeFile(const Twine &path, StringRef contents) {
  return writeFile(path, [&](raw_ostream &out) { out << contents; });
}

} // namespace sinter
