// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of pictures, by stb_image: PNG, JPEG and BMP.
#pragma once

#include "driver/resample.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace sinter {

/// Whether a file's name is that of a picture.
bool isPictureName(llvm::StringRef path);

/// As red, green and blue, whatever colors the file has; transparency is left out.
llvm::Expected<Picture> readPicture(const std::string &path);

} // namespace sinter
