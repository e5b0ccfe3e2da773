// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a library has of its model for the server. Libraries of other releases of Sinter read it, too.
#pragma once

#include "@prefix@_triton_api.h"

struct ServedFunctions {
  TRITONSERVER_Error *(*begin)(TRITONBACKEND_ModelInstance *);
  TRITONSERVER_Error *(*end)(TRITONBACKEND_ModelInstance *);
  TRITONSERVER_Error *(*execute)(TRITONBACKEND_ModelInstance *, TRITONBACKEND_Request **, uint32_t);
};
TRITON_CALLED const ServedFunctions sinter_served;
