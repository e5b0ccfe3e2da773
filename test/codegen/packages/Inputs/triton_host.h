// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A server in little: loads a backend and has the functions that it calls. What is made is counted, so that a test sees
// what is left.
#pragma once

#include "%prefix%_triton_api.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      std::printf("line %d: %s\n", __LINE__, #condition);                                                              \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

inline std::atomic<int> live_errors{0}, live_responses{0};

struct TRITONSERVER_Error {
  int code;
  std::string message;
};
struct TRITONBACKEND_Input {
  int type;
  std::vector<int64_t> shape;
  std::vector<std::string> parts;
  int memory = triton_memory_cpu;
};
struct TRITONBACKEND_Output {
  int type;
  std::vector<int64_t> shape;
  std::string bytes;
};
struct TRITONBACKEND_Request {
  std::map<std::string, TRITONBACKEND_Input> inputs;
  std::vector<std::string> wanted;
  uint32_t flags = 0;
  // What comes of it.
  std::map<std::string, TRITONBACKEND_Output> outputs;
  std::string error;
  int answers = 0, releases = 0, reports = 0, successes = 0;

  template <class T>
  TRITONBACKEND_Request &with(const char *name, int type, std::vector<int64_t> shape, const std::vector<T> &values,
                              size_t parts = 1) {
    std::string bytes(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
    TRITONBACKEND_Input input{type, std::move(shape), {}};
    for (size_t i = 0; i < parts; ++i)
      input.parts.push_back(
          bytes.substr(bytes.size() * i / parts, bytes.size() * (i + 1) / parts - bytes.size() * i / parts));
    inputs[name] = std::move(input);
    return *this;
  }
  template <class T>
  std::vector<T> output(const char *name) const {
    const std::string &bytes = outputs.at(name).bytes;
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};
struct TRITONBACKEND_Response {
  TRITONBACKEND_Request *request;
};
struct TRITONBACKEND_ModelInstance {
  void *state = nullptr;
  std::vector<uint64_t> batches; ///< rows of each call
};

extern "C" {
inline TRITONSERVER_Error *fail(const std::string &message) {
  return ++live_errors, new TRITONSERVER_Error{3, message};
}
}

/// A backend, and one instance of it.
class Served {
public:
  explicit Served(const std::string &path) : library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!library)
      std::printf("%s\n", dlerror());
    CHECK(library);
    CHECK(!find<TRITONSERVER_Error *(TRITONBACKEND_Backend *)>("TRITONBACKEND_Initialize")(nullptr));
    CHECK(
        !find<TRITONSERVER_Error *(TRITONBACKEND_ModelInstance *)>("TRITONBACKEND_ModelInstanceInitialize")(&instance));
  }
  ~Served() {
    CHECK(!find<TRITONSERVER_Error *(TRITONBACKEND_ModelInstance *)>("TRITONBACKEND_ModelInstanceFinalize")(&instance));
    dlclose(library);
  }
  Served(const Served &) = delete;

  /// All are answered and released once.
  void run(std::vector<TRITONBACKEND_Request> &requests) {
    std::vector<TRITONBACKEND_Request *> pointers;
    for (TRITONBACKEND_Request &request : requests)
      pointers.push_back(&request);
    auto *execute = find<TRITONSERVER_Error *(TRITONBACKEND_ModelInstance *, TRITONBACKEND_Request **, uint32_t)>(
        "TRITONBACKEND_ModelInstanceExecute");
    CHECK(!execute(&instance, pointers.data(), static_cast<uint32_t>(pointers.size())));
    for (TRITONBACKEND_Request &request : requests) {
      CHECK(request.answers == 1 && request.releases == 1 && request.reports == 1);
      CHECK(request.successes == (request.error.empty() ? 1 : 0));
    }
  }
  TRITONBACKEND_Request run(const TRITONBACKEND_Request &request) {
    std::vector<TRITONBACKEND_Request> all{request};
    run(all);
    return all[0];
  }
  std::vector<uint64_t> batches() { return std::exchange(instance.batches, {}); }

private:
  template <class Function>
  Function *find(const char *name) {
    void *found = dlsym(library, name);
    CHECK(found);
    return reinterpret_cast<Function *>(found);
  }
  void *library;
  TRITONBACKEND_ModelInstance instance;
};
