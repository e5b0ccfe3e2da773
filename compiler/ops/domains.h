// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Domains of operators beside ONNX's own, which is empty.
#pragma once

namespace sinter {

inline constexpr const char *microsoftDomain = "com.microsoft";
inline constexpr const char *nchwcDomain = "com.microsoft.nchwc"; ///< maps with channels in blocks

} // namespace sinter
