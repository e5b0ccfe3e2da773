// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model on a GPU: everything that lasts from call to call. What a program declares of its model is DeviceModel and
// DeviceStorage; a call is in call.h. One thread uses an instance at a time; instances share nothing.
#pragma once

#include "runtime-lite/cuda/cuda_types.h"
#include "runtime-lite/cuda/graph.h"
#include "runtime-lite/cuda/images.h"
#include "runtime-lite/cuda/load_driver.h"
#include "runtime-lite/types.h"

namespace sinter {
namespace {

struct DeviceKernel {
  const char *name;       ///< extern "C"
  unsigned dynamicShared; ///< the most bytes that a launch asks for
};

/// What is known when the program is compiled.
struct DeviceModel {
  const DeviceImage *images;
  int imageCount;
  const DeviceKernel *kernels;
  int kernelCount;
  size_t arenaBytes, weightsBytes;
  size_t pinnedBytes; ///< of the host, for what it and kernels work on
  size_t tensorBytes; ///< room for all inputs and outputs, where they cannot be used in place
  const void *weights;
};

/// Where an output goes that kernels do not write in its place: to the host, or to memory of the device that is not
/// aligned as kernels want it.
struct CopiedOutput {
  void *to;
  size_t offset, bytes;
  bool isOnDevice;
};

/// What lies at the end of the memory for tensors: the status that kernels set, and a value on its way to the host.
struct DeviceWords {
  static constexpr size_t kStatus = 0, kValue = 16, kBytes = 32;
};

/// What a call names, and the graph that was made of it: one of each for each program of the source, since calls of
/// another one are another sequence.
struct DeviceProgram {
  DeviceSteps steps;
  DeviceGraph graph;
};

struct DeviceInstance {
  const DeviceModel *model;
  CuDriver driver;
  CuDevice device;
  CuContext context; ///< the device's primary one, which frameworks in the process use too
  CuModule module;
  CuStream stream; ///< for calls that bring none
  CuFunction *functions;
  CuPointer arena, weights, tensors;
  CuPointer ownedArena, ownedWeights;
  char *staging; ///< pinned memory laid out as `tensors`
  void *pinned;  ///< an arena of its own
  DeviceProgram *programs;
  int programCount;
  CopiedOutput *outputs;
  int outputCapacity;
  bool hasDeviceTensors, isZeroCopy;
  bool waitThemselves; ///< kernels for the launch before: code of the image that was taken
  const sinter_trace *trace;
  bool isDead; ///< after an error that the context does not survive
  ErrorText error;

  static constexpr size_t kAlignment = 256;      ///< of arena and weights
  static constexpr size_t kTensorAlignment = 16; ///< of what kernels read and write by vectors

  /// A status for a result of the driver, which was returned by the function `name`.
  Status check(CuResult result, const char *name) {
    if (result == 0)
      return kDone;
    error.clear();
    error.append(name);
    error.append(": ");
    const char *text = nullptr;
    if (driver.errorName && driver.errorName(result, &text) == 0 && text) {
      error.append(text);
      error.append(" ");
    }
    error.append("(");
    error.append(result);
    error.append(")");
    isDead = isDead || DriverErrors::isLasting(result);
    return DriverErrors::statusOf(result);
  }
  Status fail(Status status, const char *text) {
    error.clear();
    error.append(text);
    return status;
  }

  /// What the driver knows of memory: the type (kCuHost: pinned, kCuDevice), 0 for what is the host's alone, and where
  /// the GPU has it. The function for one attribute would call such memory an error, which tools then report.
  Status lookUp(CuPointer pointer, unsigned &type, CuPointer &onDevice) {
    int attributes[] = {kCuMemoryType, kCuDevicePointer};
    void *values[] = {&type, &onDevice};
    type = 0;
    return check(driver.pointerAttributes(2, attributes, values, pointer), "cuPointerGetAttributes");
  }

  /// Leaves the text of an error behind, and nothing else.
  Status open(const DeviceModel &described, const sinter_cuda_options &options) {
    model = &described;
    isDead = false;
    error.clear();
    hasDeviceTensors = options.device_tensors != 0;
    isZeroCopy = options.zero_copy != 0;
    trace = options.trace;
    Status status = DriverLoader{driver, error}.open(options.driver);
    if (status == kDone)
      status = findDevice(options);
    if (status == kDone)
      status = check(driver.contextRetain(&context, device), "cuDevicePrimaryCtxRetain");
    if (status == kDone)
      status = check(driver.contextPush(context), "cuCtxPushCurrent");
    if (status == kDone) {
      status = load(options);
      CuContext popped = nullptr;
      const CuResult result = driver.contextPop(&popped);
      if (status == kDone)
        status = check(result, "cuCtxPopCurrent");
    }
    if (status != kDone)
      close();
    return status;
  }

  /// Gives everything back. What goes wrong here has no consequence any more.
  void close() {
    if (context && driver.contextPush(context) == 0) {
      if (stream)
        driver.streamSynchronize(stream);
      for (int p = 0; p < programCount; ++p)
        programs[p].graph.destroy(driver);
      if (module)
        driver.moduleUnload(module);
      const CuPointer owned[] = {ownedArena, ownedWeights, tensors};
      for (CuPointer pointer : owned)
        if (pointer)
          driver.free(pointer);
      if (staging)
        driver.hostFree(staging);
      if (pinned)
        driver.hostFree(pinned);
      if (stream)
        driver.streamDestroy(stream);
      CuContext popped = nullptr;
      driver.contextPop(&popped);
    }
    if (context)
      driver.contextRelease(device);
    if (driver.library)
      dlclose(driver.library);
    context = nullptr;
    module = nullptr;
    stream = nullptr;
    ownedArena = ownedWeights = tensors = 0;
    staging = nullptr;
    pinned = nullptr;
    driver.library = nullptr;
    isDead = true;
  }

private:
  Status findDevice(const sinter_cuda_options &options) {
    Status status = check(driver.init(0), "cuInit");
    int count = 0;
    if (status == kDone)
      status = check(driver.deviceCount(&count), "cuDeviceGetCount");
    CuContext current = nullptr;
    if (status == kDone && options.current_device)
      status = check(driver.contextCurrent(&current), "cuCtxGetCurrent");
    if (status != kDone)
      return status;
    if (current)
      return check(driver.contextDevice(&device), "cuCtxGetDevice");
    if (options.device < 0 || options.device >= count)
      return fail(kDevice, "there is no GPU of that number");
    return check(driver.deviceGet(&device, options.device), "cuDeviceGet");
  }

  Status load(const sinter_cuda_options &options) {
    Status status = loadModule();
    for (int k = 0; k < model->kernelCount && status == kDone; ++k)
      status = loadKernel(k);
    if (status == kDone)
      status = check(driver.streamCreate(&stream, 1), "cuStreamCreate"); // 1: apart from the legacy default stream
    if (status == kDone)
      status = place(arena, ownedArena, options.arena, model->arenaBytes);
    if (status == kDone)
      status = place(weights, ownedWeights, options.weights, model->weightsBytes);
    if (status == kDone && model->tensorBytes)
      status = check(driver.allocate(&tensors, model->tensorBytes), "cuMemAlloc");
    void *staged = nullptr;
    if (status == kDone && model->tensorBytes)
      status = check(driver.hostAllocate(&staged, model->tensorBytes, 0), "cuMemHostAlloc");
    staging = static_cast<char *>(staged);
    if (status == kDone && model->pinnedBytes)
      status = check(driver.hostAllocate(&pinned, model->pinnedBytes, 0), "cuMemHostAlloc");
    if (status != kDone || !model->weightsBytes)
      return status;
    const void *host = options.host_weights ? options.host_weights : model->weights;
    if (!host)
      return fail(kNullPointer, "the weights are missing");
    status = check(driver.copyToDevice(weights, host, model->weightsBytes, stream), "cuMemcpyHtoDAsync");
    return status == kDone ? check(driver.streamSynchronize(stream), "cuStreamSynchronize") : status;
  }

  Status loadModule() {
    int major = 0, minor = 0, isIntegrated = 0;
    Status status = check(driver.deviceAttribute(&major, kCuMajor, device), "cuDeviceGetAttribute");
    if (status == kDone)
      status = check(driver.deviceAttribute(&minor, kCuMinor, device), "cuDeviceGetAttribute");
    if (status == kDone)
      status = check(driver.deviceAttribute(&isIntegrated, kCuIntegrated, device), "cuDeviceGetAttribute");
    if (status != kDone)
      return status;
    const int sm = major * 10 + minor;
    const DeviceImage *image = ImageChoice::choose(model->images, model->imageCount, sm, isIntegrated != 0);
    if (!image) {
      error.clear();
      error.append("the program has no device code for this GPU, which is an sm_");
      error.append(sm);
      return kUnsupportedCpu;
    }
    constexpr int kWaits = 90; // the first SM with instructions for it
    waitThemselves = image->sm >= kWaits;
    // The values are sizes and addresses cast to pointers.
    char log[160] = "";
    int names[] = {kCuErrorLogBuffer, kCuErrorLogBytes};
    void *values[] = {log, reinterpret_cast<void *>(static_cast<uintptr_t>(sizeof(log) - 1))};
    status = check(driver.moduleLoad(&module, image->data, 2, names, values), "cuModuleLoadDataEx");
    if (status != kDone && log[0]) {
      error.append(": ");
      error.append(log);
    }
    return status;
  }

  /// Drivers load a kernel's code when it is first asked for: here, not in a call.
  Status loadKernel(int k) {
    const DeviceKernel &kernel = model->kernels[k];
    Status status = check(driver.moduleFunction(&functions[k], module, kernel.name), "cuModuleGetFunction");
    if (status == kDone && kernel.dynamicShared > 48 * 1024)
      status =
          check(driver.functionAttribute(functions[k], kCuMaxDynamicShared, static_cast<int>(kernel.dynamicShared)),
                "cuFuncSetAttribute");
    if (status == kDone && driver.functionLoad)
      status = check(driver.functionLoad(functions[k]), "cuFuncLoad");
    return status;
  }

  /// Device memory: the caller's, or allocated.
  Status place(CuPointer &pointer, CuPointer &owned, void *given, size_t bytes) {
    pointer = reinterpret_cast<uintptr_t>(given);
    if (bytes == 0)
      return kDone;
    if (!pointer) {
      const Status status = check(driver.allocate(&owned, bytes), "cuMemAlloc");
      pointer = owned;
      return status;
    }
    if (pointer % kAlignment != 0)
      return fail(kMisaligned, "device memory is not aligned to 256 bytes");
    unsigned type = 0;
    CuPointer onDevice = 0;
    const Status status = lookUp(pointer, type, onDevice);
    if (status == kDone && type == 0)
      return fail(kDevice, "what is given as device memory is memory of the host");
    return status;
  }
};

/// An instance with the arrays that it needs, each of one element at least; all of it zero before open. Steps, words
/// and arguments: of the program that has most.
template <int kernels, int steps, int words, int arguments, int outputs, int programs = 1>
struct DeviceStorage {
  DeviceInstance instance;
  CuFunction functions[kernels];
  DeviceProgram programArray[programs];
  DeviceStep stepArray[programs][steps];
  GraphStep graphArray[programs][steps];
  uint64_t wordArray[programs][words];
  void *argumentArray[programs][arguments];
  CopiedOutput outputArray[outputs];

  Status open(const DeviceModel &model, const sinter_cuda_options &options) {
    instance.functions = functions;
    instance.programs = programArray;
    instance.programCount = programs;
    for (int p = 0; p < programs; ++p) {
      DeviceSteps &list = programArray[p].steps;
      list.steps = stepArray[p];
      list.capacity = steps;
      list.words = wordArray[p];
      list.wordCapacity = words;
      list.arguments = argumentArray[p];
      list.argumentCapacity = arguments;
      programArray[p].graph.nodes = graphArray[p];
    }
    instance.outputs = outputArray;
    instance.outputCapacity = outputs;
    return instance.open(model, options);
  }
};

} // namespace
} // namespace sinter
