// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which adapters are on: --with sql or --with sql=0.5,poet. A program with adapters that are switched is compiled with
// SINTER_ADAPTERS="sql", "poet": their names, in the order of the session's weights.
#pragma once

#include "sampling_ranges.h"
#include "session_program.h"

#include <string>

class AdapterWords {
public:
  /// False: it is another setting. It ends where there is no such adapter.
  bool take(const std::string &name, const char *value) {
    if (name != "--with")
      return false;
    chosen = value;
    (void)weights([](size_t, float) {});
    return true;
  }

  void setTo([[maybe_unused]] NET(_session) & session) const {
#ifdef SINTER_ADAPTERS
    weights([&](size_t i, float weight) { session.adapters[i] = weight; });
#endif
  }

private:
  template <class Set>
  void weights(Set set) const {
    if (!sinter::readAdapterWeights(chosen.c_str(),
                                    [&](const std::string &name, float weight) { set(placeOf(name), weight); }))
      endWith(("--with " + chosen + ": what is behind '=' is no number from -1e30 to 1e30").c_str(),
              "--with NAME=0.5 lets an adapter count half");
  }

  static size_t placeOf(const std::string &name) {
#ifdef SINTER_ADAPTERS
    const char *const names[] = {SINTER_ADAPTERS};
    std::string all;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
      if (name == names[i])
        return i;
      all += (i ? ", " : "") + std::string(names[i]);
    }
    endWith(("--with " + name + ": the adapters are " + all).c_str());
#else
    endWith(
        ("--with " + name + ": the program has no adapters that are switched: --adapter " + name + "=FOLDER adds one")
            .c_str());
#endif
  }

  std::string chosen;
};
