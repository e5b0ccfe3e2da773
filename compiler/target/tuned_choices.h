// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choices that were measured instead of estimated: --tuned. A place of choice is known by its site, a text of what is
// computed, of which shapes and types (kernels/tuning_site.h), so that it is found in any net that has such a
// layer. The file that they come from: driver/tuning_file.h.
#pragma once

#include <map>
#include <string>

namespace sinter {

struct TunedChoices {
  bool isNoted = false;                     ///< sites are written to the IR and the report, whatever is taken
  std::map<std::string, std::string> taken; ///< by site, the name of an option

  /// The option that was measured to be the best; null where nobody measured.
  const std::string *at(const std::string &site) const {
    auto found = taken.find(site);
    return found == taken.end() ? nullptr : &found->second;
  }
};

} // namespace sinter
