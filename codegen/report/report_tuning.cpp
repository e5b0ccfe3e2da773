// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places of choice that --tune measures, beside the kernels that came of them.
#include "report.h"

#include "kernels/tuning_site.h"

namespace sinter {

void printTuningJson(llvm::json::OStream &out, const PrintedCall &call) {
  std::optional<TuningSite> site = tuningSiteOf(call.op->getAttrOfType<KernelAttr>("kernel"));
  if (!site)
    return;
  out.attributeObject("tuning", [&] {
    out.attribute("site", site->text);
    out.attribute("taken", site->options[site->taken]);
    out.attributeArray("options", [&] {
      for (const std::string &option : site->options)
        out.value(option);
    });
  });
}

} // namespace sinter
