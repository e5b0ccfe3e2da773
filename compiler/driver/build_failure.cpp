// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages about tools that fail.
#include "driver/build_failure.h"

#include "driver/flags.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cerrno>
#include <system_error>

using namespace llvm;

namespace sinter {

static bool saysThatNothingCanBeWritten(std::error_code code) {
  return any_of(std::array{ENOSPC, EDQUOT, EFBIG, EROFS},
                [&](int number) { return code == std::error_condition(number, std::generic_category()); });
}

ExitStatus tellBuildFailure(Error error, StringRef headline, StringRef hint, ExitStatus status) {
  std::error_code code = inconvertibleErrorCode();
  std::string text;
  handleAllErrors(std::move(error), [&](const ErrorInfoBase &one) {
    code = one.convertToErrorCode();
    text += one.message();
  });
  if (code == std::errc::not_enough_memory) {
    printError("there is not enough memory for the C++ compiler\n" + text,
               "a lower optimization, as -O1, takes less, and so does --cxx clang++");
    return ExitUsage;
  }
  if (saysThatNothingCanBeWritten(code)) {
    printError("the build cannot write: " + code.message() + " [E0902]\n" + text,
               "room is needed where the output goes and in the folder for temporary files, which TMPDIR names");
    return ExitUsage;
  }
  printError((headline.empty() ? "" : headline + "\n") + text, hint);
  return status;
}

} // namespace sinter
