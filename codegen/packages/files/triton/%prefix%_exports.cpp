// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the server calls, and which library answers. The server keeps a backend's library as long as it lives, and knows
// it by its path: a model that was compiled anew into the same folder and is loaded again would be answered by the old
// code. So a load looks whether the file is still the one that this code came from, and else takes the functions of the
// one that is there now, which goes when its model is unloaded.
#include "@prefix@_served.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {
struct ServedModel {
  const ServedFunctions *functions;
  void *library; ///< null: this one
  int file;      ///< stays open: its number is the path by which the C library knows a library
};

/// Of the file, when the server has loaded it.
struct stat own_file;

const char *own_path() {
  Dl_info info;
  return dladdr(&sinter_served, &info) ? info.dli_fname : nullptr;
}

void remember_own_file() {
  if (!own_path() || stat(own_path(), &own_file) != 0)
    memset(&own_file, 0, sizeof own_file);
}

/// A file that is mapped keeps its number: another one has another.
bool is_replaced() {
  struct stat now;
  return own_file.st_ino && stat(own_path(), &now) == 0 &&
         (now.st_ino != own_file.st_ino || now.st_dev != own_file.st_dev);
}

void delete_served(ServedModel *model) {
  if (model->library)
    dlclose(model->library);
  if (model->file >= 0)
    close(model->file);
  free(model);
}

/// The library that lies in the place of this one; false: `problem` says why not.
bool take_other(ServedModel &model, const char **problem) {
  *problem = "it does not open";
  model.file = open(own_path(), O_RDONLY | O_CLOEXEC);
  if (model.file < 0)
    return false;
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", model.file);
  model.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!model.library)
    *problem = dlerror();
  else if (void *functions = dlsym(model.library, "sinter_served"))
    model.functions = static_cast<const ServedFunctions *>(functions);
  else
    *problem = "it is of another kind; the server takes it when it is started anew";
  return model.functions != nullptr;
}

/// Null: no memory, or `problem` says why there is none.
ServedModel *new_served(const char **problem) {
  *problem = "no memory";
  ServedModel *model = static_cast<ServedModel *>(calloc(1, sizeof(ServedModel)));
  if (!model)
    return nullptr;
  model->file = -1;
  if (!is_replaced())
    model->functions = &sinter_served;
  else if (!take_other(*model, problem)) {
    delete_served(model);
    return nullptr;
  }
  return model;
}

TRITONSERVER_Error *functions_of(TRITONBACKEND_ModelInstance *instance, const ServedFunctions **functions) {
  TRITONBACKEND_Model *model;
  void *state;
  if (TRITONSERVER_Error *error = TRITONBACKEND_ModelInstanceModel(instance, &model))
    return error;
  if (TRITONSERVER_Error *error = TRITONBACKEND_ModelState(model, &state))
    return error;
  *functions = static_cast<const ServedModel *>(state)->functions;
  return nullptr;
}
} // namespace

TRITON_CALLED TRITONSERVER_Error *TRITONBACKEND_Initialize(TRITONBACKEND_Backend *) {
  remember_own_file();
  uint32_t major, minor;
  if (TRITONSERVER_Error *error = TRITONBACKEND_ApiVersion(&major, &minor))
    return error;
  return major == 1
             ? nullptr
             : TRITONSERVER_ErrorNew(triton_error_unsupported, "this backend is for version 1 of the backend API");
}

TRITON_CALLED TRITONSERVER_Error *TRITONBACKEND_ModelInitialize(TRITONBACKEND_Model *handle) {
  const char *problem;
  ServedModel *model = new_served(&problem);
  if (!model) {
    char text[600];
    snprintf(text, sizeof text, "the library that replaced '%.200s' is not taken: %.300s", own_path(), problem);
    return TRITONSERVER_ErrorNew(triton_error_unavailable, text);
  }
  TRITONSERVER_Error *error = TRITONBACKEND_ModelSetState(handle, model);
  if (error)
    delete_served(model);
  return error;
}

TRITON_CALLED TRITONSERVER_Error *TRITONBACKEND_ModelFinalize(TRITONBACKEND_Model *handle) {
  void *model = nullptr;
  TRITONSERVER_Error *error = TRITONBACKEND_ModelState(handle, &model);
  if (!error && model)
    delete_served(static_cast<ServedModel *>(model));
  return error;
}

TRITON_CALLED TRITONSERVER_Error *TRITONBACKEND_ModelInstanceInitialize(TRITONBACKEND_ModelInstance *handle) {
  const ServedFunctions *functions;
  TRITONSERVER_Error *error = functions_of(handle, &functions);
  return error ? error : functions->begin(handle);
}

TRITON_CALLED TRITONSERVER_Error *TRITONBACKEND_ModelInstanceFinalize(TRITONBACKEND_ModelInstance *handle) {
  const ServedFunctions *functions;
  TRITONSERVER_Error *error = functions_of(handle, &functions);
  return error ? error : functions->end(handle);
}

TRITON_CALLED TRITONSERVER_Error *TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance *handle,
                                                                     TRITONBACKEND_Request **requests, uint32_t count) {
  const ServedFunctions *functions;
  TRITONSERVER_Error *error = functions_of(handle, &functions);
  return error ? error : functions->execute(handle, requests, count);
}
