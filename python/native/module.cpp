// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter._native: what Python calls of a compiled model.
#include "call.h"

#include <nanobind/stl/string.h>
#include <sys/vfs.h>

using namespace sinter_python;

NB_MODULE(_native, module) {
  module.doc() = "Calls of compiled models by their C ABI.";
  nb::class_<Library>(module, "Library", "A compiled model as a shared library.")
      .def(nb::init<const std::string &, const std::string &, int, const std::string &>(), nb::arg("path"),
           nb::arg("prefix"), nb::arg("threads"), nb::arg("weights"))
      .def("call", &call, nb::arg("arrays"), nb::arg("state").none(), nb::arg("feeds"), nb::arg("outs").none())
      .def_prop_ro("inputs",
                   [](const Library &library) {
                     nb::list all;
                     for (const Tensor &tensor : library.inputs)
                       all.append(toPython(tensor));
                     return all;
                   })
      .def_prop_ro("outputs",
                   [](const Library &library) {
                     nb::list all;
                     for (const Tensor &tensor : library.outputs)
                       all.append(toPython(tensor));
                     return all;
                   })
      .def_prop_ro("dims",
                   [](const Library &library) {
                     nb::list all;
                     for (int i = 0; i < library.info->dim_count; ++i) {
                       const sinter_dim_info &dim = library.info->dims[i];
                       all.append(nb::make_tuple(dim.name, dim.min, dim.max));
                     }
                     return all;
                   })
      .def_prop_ro("arena_bytes", [](const Library &library) { return library.info->arena_bytes; });
  nb::class_<State>(module, "State", "Arrays that calls update.")
      .def(nb::init<Library &, const nb::sequence &>(), nb::arg("library"), nb::arg("arrays"), nb::keep_alive<1, 2>())
      .def("used", &State::used, nb::arg("input"))
      .def("set_used", &State::setUsed, nb::arg("input"), nb::arg("rows"));
  module.def(
      "is_local",
      [](const std::string &path) {
        struct statfs system;
        if (statfs(path.c_str(), &system) != 0)
          return false;
        constexpr unsigned nfs = 0x6969, smb = 0x517b, smb2 = 0xfe534d42, cifs = 0xff534d42;
        const auto type = static_cast<unsigned>(system.f_type);
        return type != nfs && type != smb && type != smb2 && type != cifs;
      },
      nb::arg("path"), "Whether a folder is on a disk of this machine; false where it is not known.");
}
