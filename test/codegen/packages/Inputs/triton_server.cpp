// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the server that a backend calls.
#include "triton_host.h"

extern "C" {
using Error = TRITONSERVER_Error;
Error *TRITONSERVER_ErrorNew(int code, const char *message) { return ++live_errors, new Error{code, message}; }
void TRITONSERVER_ErrorDelete(Error *error) { delete error, --live_errors; }
Error *TRITONBACKEND_ApiVersion(uint32_t *major, uint32_t *minor) { return *major = 1, *minor = 19, nullptr; }
Error *TRITONBACKEND_ModelState(TRITONBACKEND_Model *model, void **state) { return *state = model->state, nullptr; }
Error *TRITONBACKEND_ModelSetState(TRITONBACKEND_Model *model, void *state) { return model->state = state, nullptr; }
Error *TRITONBACKEND_ModelInstanceModel(TRITONBACKEND_ModelInstance *instance, TRITONBACKEND_Model **model) {
  return *model = instance->model, nullptr;
}
Error *TRITONBACKEND_ModelInstanceState(TRITONBACKEND_ModelInstance *instance, void **state) {
  return *state = instance->state, nullptr;
}
Error *TRITONBACKEND_ModelInstanceSetState(TRITONBACKEND_ModelInstance *instance, void *state) {
  return instance->state = state, nullptr;
}
Error *TRITONBACKEND_ModelInstanceReportStatistics(TRITONBACKEND_ModelInstance *, TRITONBACKEND_Request *request,
                                                   bool success, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  CHECK(a <= b && b <= c && c <= d);
  return ++request->reports, request->successes += success, nullptr;
}
Error *TRITONBACKEND_ModelInstanceReportBatchStatistics(TRITONBACKEND_ModelInstance *instance, uint64_t rows, uint64_t,
                                                        uint64_t, uint64_t, uint64_t) {
  return instance->batches.push_back(rows), nullptr;
}
Error *TRITONBACKEND_RequestFlags(TRITONBACKEND_Request *request, uint32_t *flags) {
  return *flags = request->flags, nullptr;
}
Error *TRITONBACKEND_RequestInput(TRITONBACKEND_Request *request, const char *name, TRITONBACKEND_Input **input) {
  auto found = request->inputs.find(name);
  if (found == request->inputs.end())
    return fail("no such input");
  return *input = &found->second, nullptr;
}
Error *TRITONBACKEND_RequestOutputCount(TRITONBACKEND_Request *request, uint32_t *count) {
  return *count = static_cast<uint32_t>(request->wanted.size()), nullptr;
}
Error *TRITONBACKEND_RequestOutputName(TRITONBACKEND_Request *request, uint32_t index, const char **name) {
  return *name = request->wanted[index].c_str(), nullptr;
}
Error *TRITONBACKEND_RequestRelease(TRITONBACKEND_Request *request, uint32_t flags) {
  CHECK(flags == triton_release_all);
  return ++request->releases, nullptr;
}
Error *TRITONBACKEND_InputProperties(TRITONBACKEND_Input *input, const char **name, int *type, const int64_t **shape,
                                     uint32_t *rank, uint64_t *bytes, uint32_t *buffers) {
  CHECK(!name);
  *bytes = 0;
  for (const std::string &part : input->parts)
    *bytes += part.size();
  *type = input->type, *shape = input->shape.data(), *rank = static_cast<uint32_t>(input->shape.size());
  *buffers = static_cast<uint32_t>(input->parts.size());
  return nullptr;
}
Error *TRITONBACKEND_InputBuffer(TRITONBACKEND_Input *input, uint32_t index, const void **buffer, uint64_t *bytes,
                                 int *memory, int64_t *) {
  if (index >= input->parts.size())
    return fail("no such buffer");
  *buffer = input->parts[index].data(), *bytes = input->parts[index].size(), *memory = input->memory;
  return nullptr;
}
Error *TRITONBACKEND_ResponseNew(TRITONBACKEND_Response **response, TRITONBACKEND_Request *request) {
  CHECK(!request->releases);
  return ++live_responses, *response = new TRITONBACKEND_Response{request}, nullptr;
}
Error *TRITONBACKEND_ResponseOutput(TRITONBACKEND_Response *response, TRITONBACKEND_Output **output, const char *name,
                                    int type, const int64_t *shape, uint32_t rank) {
  TRITONBACKEND_Output &made = response->request->outputs[name];
  made = {type, {shape, shape + rank}, ""};
  return *output = &made, nullptr;
}
Error *TRITONBACKEND_OutputBuffer(TRITONBACKEND_Output *output, void **buffer, uint64_t bytes, int *, int64_t *) {
  output->bytes.assign(bytes, '?');
  return *buffer = output->bytes.data(), nullptr;
}
Error *TRITONBACKEND_ResponseSend(TRITONBACKEND_Response *response, uint32_t flags, Error *error) {
  CHECK(flags == triton_response_final && !response->request->releases);
  if (error)
    response->request->error = error->message; // it stays the backend's
  ++response->request->answers;
  return delete response, --live_responses, nullptr;
}
}
