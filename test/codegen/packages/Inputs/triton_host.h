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
#include <mutex>
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
struct TRITONBACKEND_Model {
  void *state = nullptr;
};
struct TRITONBACKEND_ModelInstance {
  TRITONBACKEND_Model *model;
  void *state = nullptr;
  std::vector<uint64_t> batches; ///< rows of each call
};

extern "C" {
inline TRITONSERVER_Error *fail(const std::string &message) {
  return ++live_errors, new TRITONSERVER_Error{3, message};
}
}

/// As the server has them: one for each path, for as long as the process lives.
inline void *backendOf(const std::string &path) {
  static std::mutex mutex;
  static std::map<std::string, void *> backends;
  std::lock_guard<std::mutex> lock(mutex);
  void *&library = backends[path];
  if (library)
    return library;
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    std::printf("%s\n", dlerror());
  CHECK(library);
  void *initialize = dlsym(library, "TRITONBACKEND_Initialize");
  CHECK(initialize && !reinterpret_cast<TRITONSERVER_Error *(*)(TRITONBACKEND_Backend *)>(initialize)(nullptr));
  return library;
}

/// A model, and one instance of it.
class Served {
public:
  explicit Served(const std::string &path) : library(backendOf(path)), instance{&model} {
    if (TRITONSERVER_Error *error = onModel("TRITONBACKEND_ModelInitialize")) {
      refusal = error->message;
      delete error, --live_errors;
    } else
      CHECK(!onInstance("TRITONBACKEND_ModelInstanceInitialize"));
  }
  ~Served() {
    if (refusal.empty())
      CHECK(!onInstance("TRITONBACKEND_ModelInstanceFinalize") && !onModel("TRITONBACKEND_ModelFinalize"));
  }
  Served(const Served &) = delete;
  std::string refusal; ///< empty: it is loaded

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
  TRITONSERVER_Error *onModel(const char *name) {
    return find<TRITONSERVER_Error *(TRITONBACKEND_Model *)>(name)(&model);
  }
  TRITONSERVER_Error *onInstance(const char *name) {
    return find<TRITONSERVER_Error *(TRITONBACKEND_ModelInstance *)>(name)(&instance);
  }
  void *library;
  TRITONBACKEND_Model model;
  TRITONBACKEND_ModelInstance instance;
};
