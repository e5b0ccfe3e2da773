// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/version.h"

#include "llvm/Config/llvm-config.h"

const char *sinter::version() { return SINTER_VERSION; }
std::string sinter::versionText() { return "sinter " SINTER_VERSION " (LLVM " LLVM_VERSION_STRING ")"; }
