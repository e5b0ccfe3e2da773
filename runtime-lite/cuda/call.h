// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of a model: the program names inputs, outputs and launches in order, then finish() sends them to the GPU as
// a graph, or one by one where the stream is being captured and where they are not those that the graph was made of.
// Until finish() nothing has been sent, so a call that fails before leaves nothing behind.
//
//   DeviceCall call(instance, stream);
//   const float *x = call.input(in->x, 0, 4096);
//   float *y = call.output(out->y, 4096, 256);
//   call.launch(0, {16}, {128}, 0, x, y, n);
//   return call.finish();
//
// The same sequence with the purpose Prepare, when the instance is made, builds the graph; pointers are of no matter
// then. A program that needs a value on the host reads it (read()): what has been named so far is sent as plain
// launches, and the call waits; so it does before a function of the host (reach()). Such a call has no graph, nor one
// whose launches are more than the list has room for, as in a loop of many rounds.
#pragma once

#include "runtime-lite/cuda/instance.h"
#include "runtime-lite/trace.h"

namespace sinter {
namespace {

class DeviceCall {
public:
  enum Purpose { Run, Prepare };

  /// `stream`: the caller's; calls with one return before the GPU is done, if no tensor is on the host.
  DeviceCall(DeviceInstance &instance, void *userStream, Purpose purpose = Run)
      : instance(instance), driver(instance.driver), program(instance.programs), list(&program->steps),
        stream(userStream ? static_cast<CuStream>(userStream) : instance.stream), hasOwnStream(!userStream),
        isPreparing(purpose == Prepare) {
    list->clear();
    if (instance.isDead) {
      callStatus = kDevice; // the error's text is that of the first
      return;
    }
    callStatus = instance.check(driver.contextPush(instance.context), "cuCtxPushCurrent");
    isPushed = callStatus == kDone;
    int capture = 0;
    if (isPushed && userStream)
      callStatus = instance.check(driver.streamIsCapturing(stream, &capture), "cuStreamIsCapturing");
    isCapturing = capture != 0;
  }
  ~DeviceCall() { pop(); }
  DeviceCall(const DeviceCall &) = delete;
  DeviceCall &operator=(const DeviceCall &) = delete;

  int status() const { return callStatus; }

  /// Where a source has several programs: this is a call of that one. Nothing has been named yet.
  void isOf(int number) {
    program = &instance.programs[number];
    list = &program->steps;
    list->clear();
  }

  /// Where kernels read an input from. `offset`: its place among the tensors that are not used in place.
  template <class T>
  const T *input(const T *given, size_t offset, size_t bytes) {
    CuPointer from = 0;
    const Use use = useOf(given, bytes, from);
    const CuPointer place = instance.tensors + offset;
    if (use == Use::InPlace || callStatus != kDone) {
      list->none();
      return pointerTo<const T>(from);
    }
    if (use == Use::Staged) {
      if (given && bytes)
        memcpy(instance.staging + offset, given, bytes);
      from = addressOf(instance.staging + offset);
    }
    list->copy(use == Use::Staged ? StepKind::ToDevice : StepKind::OnDevice, place, from, bytes);
    return pointerTo<const T>(place);
  }

  /// Where kernels write an output to.
  template <class T>
  T *output(T *given, size_t offset, size_t bytes) {
    CuPointer to = 0;
    const Use use = useOf(given, bytes, to);
    const bool isInPlace = use == Use::InPlace || callStatus != kDone;
    if (outputCount == instance.outputCapacity)
      list->isTooLong = true;
    else
      instance.outputs[outputCount++] = {use == Use::Staged ? given : pointerTo<T>(to), offset, isInPlace ? 0 : bytes,
                                         use == Use::Copied};
    return pointerTo<T>(isInPlace ? to : instance.tensors + offset);
  }

  /// A tensor that kernels read and change in its place.
  template <class T>
  T *state(T *given, size_t offset, size_t bytes) {
    input(given, offset, bytes);
    return output(given, offset, bytes);
  }

  /// Where kernels leave the status of the call. A call that has such a place waits for the GPU; while a stream is
  /// being captured, nobody reads it.
  int *statusWord() {
    if (hasStatusWord || callStatus != kDone)
      return pointerTo<int>(words() + DeviceWords::kStatus);
    hasStatusWord = true;
    char *const host = hostWords() + DeviceWords::kStatus;
    if (!isPreparing)
      memset(host, 0, sizeof(int));
    list->copy(StepKind::ToDevice, words() + DeviceWords::kStatus, addressOf(host), isCapturing ? 0 : sizeof(int));
    return pointerTo<int>(words() + DeviceWords::kStatus);
  }

  /// A value that kernels named so far have written. All of them are done then.
  template <class T>
  T read(const T *from) {
    T value{};
    sendNamed();
    char *const host = hostWords() + DeviceWords::kValue;
    if (callStatus == kDone)
      callStatus = instance.check(driver.copyToHost(host, addressOf(from), sizeof(T), stream), "cuMemcpyDtoHAsync");
    waitForNamed();
    if (callStatus == kDone)
      memcpy(&value, host, sizeof(T));
    return value;
  }

  /// All that has been named so far is done: a function of the host may read and write pinned memory. The status.
  int reach() {
    sendNamed();
    waitForNamed();
    return callStatus;
  }

  /// What a function of the host returned ends the call.
  int fail(int code) {
    return callStatus = instance.fail(static_cast<Status>(code), "a function on the host has failed");
  }

  /// Behind a launch: call number `kernel` of the program wrote these. Only a trace wants to know.
  template <class... T>
  void traced(int kernel, T *...outputs) {
    if (!instance.trace || isPreparing || isCapturing)
      return;
    flush();
    if (callStatus == kDone)
      wait();
    if (callStatus == kDone)
      sinter::traced(instance.trace, kernel, outputs...);
  }

  /// Memory that the host and kernels reach.
  void *pinned() const { return instance.pinned; }

  /// Places in the device's arena and weights.
  template <class T>
  T *arena(size_t offset) const {
    return pointerTo<T>(instance.arena + offset);
  }
  template <class T>
  const T *weights(size_t offset) const {
    return pointerTo<const T>(instance.weights + offset);
  }

  template <class... Arguments>
  void launch(int kernel, Extent grid, Extent block, unsigned sharedBytes, const Arguments &...arguments) {
    if (list->lacksRoomFor(sizeof...(arguments), (((sizeof(arguments) + 7) / 8) + ... + 0)))
      flush();
    list->launch(kernel, grid, block, sharedBytes, arguments...);
  }
  void copy(void *to, const void *from, size_t bytes) {
    list->copy(StepKind::OnDevice, addressOf(to), addressOf(from), bytes);
  }

  /// The status of the call.
  int finish() {
    complete();
    if (callStatus == kDone && isPreparing && !isFlushed)
      prepare();
    else if (callStatus == kDone && !isPreparing)
      send();
    pop();
    return callStatus;
  }

private:
  CuPointer words() const { return instance.tensors + instance.model->tensorBytes - DeviceWords::kBytes; }
  char *hostWords() const { return instance.staging + instance.model->tensorBytes - DeviceWords::kBytes; }

  void sendNamed() {
    if (isCapturing && callStatus == kDone)
      callStatus = instance.fail(kDevice, "a model that reads values in a call cannot be captured");
    flush();
  }
  void waitForNamed() {
    fetchStatus();
    if (callStatus == kDone)
      wait();
    takeStatus();
  }

  /// What has been named so far goes to the GPU as plain launches.
  void flush() {
    isFlushed = true;
    if (!isPreparing)
      sendPlainly();
    list->clear();
  }

  DeviceInstance &instance;
  const CuDriver &driver;
  DeviceProgram *program;
  DeviceSteps *list;
  CuStream stream;
  int callStatus = kDone, outputCount = 0;
  bool hasOwnStream, isPreparing, isPushed = false, isCapturing = false, hasHostTensors = false;
  bool hasStatusWord = false, isFlushed = false;

  template <class T>
  static T *pointerTo(CuPointer place) {
    return reinterpret_cast<T *>(static_cast<uintptr_t>(place));
  }
  static CuPointer addressOf(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

  /// A tensor is used where it is; or copied on the device; or, on the host, through staging memory.
  enum class Use { InPlace, Copied, Staged };

  /// `place`: the tensor for the GPU.
  Use useOf(const void *given, size_t bytes, CuPointer &place) {
    place = addressOf(given);
    if (callStatus != kDone)
      return Use::InPlace;
    if (isPreparing) {
      place = instance.tensors;
      return instance.hasDeviceTensors ? Use::InPlace : Use::Staged;
    }
    unsigned type = 0;
    CuPointer onDevice = 0;
    if (place && bytes)
      callStatus = instance.lookUp(place, type, onDevice);
    if (type == kCuHost && instance.isZeroCopy)
      place = onDevice;
    else if (type <= kCuHost && callStatus == kDone)
      return stage(bytes);
    return place % DeviceInstance::kTensorAlignment == 0 ? Use::InPlace : Use::Copied;
  }

  Use stage(size_t bytes) {
    if (isCapturing && bytes)
      callStatus = instance.fail(kDevice, "a stream that is being captured takes tensors on the device only");
    hasHostTensors = hasHostTensors || bytes != 0;
    return Use::Staged;
  }

  /// Outputs are copied behind all launches.
  void complete() {
    if (list->lacksRoomFor(0, 0, outputCount + (hasStatusWord ? 1 : 0)))
      flush();
    for (int i = 0; i < outputCount && callStatus == kDone; ++i) {
      const CopiedOutput &output = instance.outputs[i];
      const CuPointer to = addressOf(output.isOnDevice ? output.to : instance.staging + output.offset);
      list->copy(output.isOnDevice ? StepKind::OnDevice : StepKind::ToHost, to, instance.tensors + output.offset,
                 output.bytes);
    }
    if (hasStatusWord && callStatus == kDone)
      list->copy(StepKind::ToHost, addressOf(hostWords() + DeviceWords::kStatus), words() + DeviceWords::kStatus,
                 isCapturing ? 0 : sizeof(int));
    if (callStatus == kDone && list->isTooLong)
      callStatus = instance.fail(kCapacityExceeded, "a launch is larger than GPUs allow");
  }

  void prepare() {
    DeviceGraph &graph = program->graph;
    const CuResult result = graph.build(driver, instance.context, *list, instance.functions, instance.waitThemselves);
    callStatus = instance.check(result, graph.called);
    if (callStatus == kDone && driver.graphUpload)
      callStatus = instance.check(driver.graphUpload(graph.exec, stream), "cuGraphUpload");
    if (callStatus == kDone)
      wait();
    else
      graph.destroy(driver);
  }

  void send() {
    if (!isCapturing && !isFlushed && program->graph.matches(*list)) {
      const CuResult result = program->graph.update(driver, instance.context, *list, instance.functions);
      callStatus = instance.check(result, program->graph.called);
      if (callStatus == kDone)
        callStatus = instance.check(driver.graphLaunch(program->graph.exec, stream), "cuGraphLaunch");
    } else {
      sendPlainly();
    }
    if (isCapturing)
      return;
    if (callStatus != kDone)
      driver.streamSynchronize(stream); // what has been sent uses the staging memory
    else if (hasOwnStream || hasHostTensors || hasStatusWord)
      wait();
    takeStatus();
    if (callStatus == kDone)
      for (int i = 0; i < outputCount; ++i)
        if (const CopiedOutput &output = instance.outputs[i]; output.to && output.bytes && !output.isOnDevice)
          memcpy(output.to, instance.staging + output.offset, output.bytes);
  }

  void sendPlainly() {
    for (int i = 0; i < list->count && callStatus == kDone; ++i)
      sendStep(list->steps[i]);
  }

  void fetchStatus() {
    if (hasStatusWord && callStatus == kDone)
      callStatus = instance.check(
          driver.copyToHost(hostWords() + DeviceWords::kStatus, words() + DeviceWords::kStatus, sizeof(int), stream),
          "cuMemcpyDtoHAsync");
  }
  /// The GPU is done.
  void takeStatus() {
    int left = kDone;
    if (hasStatusWord && callStatus == kDone && !isCapturing)
      memcpy(&left, hostWords() + DeviceWords::kStatus, sizeof(left));
    if (left != kDone)
      callStatus = instance.fail(left, "a kernel ended the call: its data are out of bounds");
  }

  void sendStep(const DeviceStep &step) {
    switch (step.kind) {
    case StepKind::None:
      return;
    case StepKind::Launch:
      if (!step.isEmptyLaunch())
        callStatus =
            instance.check(driver.launch(instance.functions[step.kernel], step.grid[0], step.grid[1], step.grid[2],
                                         step.block[0], step.block[1], step.block[2], step.sharedBytes, stream,
                                         list->arguments + step.firstArgument, nullptr),
                           "cuLaunchKernel");
      return;
    case StepKind::ToDevice:
      callStatus = instance.check(driver.copyToDevice(step.to, pointerTo<const void>(step.from), step.bytes, stream),
                                  "cuMemcpyHtoDAsync");
      return;
    case StepKind::ToHost:
      callStatus = instance.check(driver.copyToHost(pointerTo<void>(step.to), step.from, step.bytes, stream),
                                  "cuMemcpyDtoHAsync");
      return;
    case StepKind::OnDevice:
      callStatus = instance.check(driver.copyOnDevice(step.to, step.from, step.bytes, stream), "cuMemcpyDtoDAsync");
      return;
    }
  }

  void wait() { callStatus = instance.check(driver.streamSynchronize(stream), "cuStreamSynchronize"); }

  /// The context that was current before is so again.
  void pop() {
    CuContext popped = nullptr;
    if (isPushed) {
      const CuResult result = driver.contextPop(&popped);
      if (callStatus == kDone)
        callStatus = instance.check(result, "cuCtxPopCurrent");
    }
    isPushed = false;
  }
};

} // namespace
} // namespace sinter
