/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A net on a GPU from plain C: the instance is made once; then digits are read, first from the host's memory, then on a
 * stream of our own with all tensors in the device's memory, as an application that uses CUDA already has them.
 *
 *   cuda_sample [LIBRARY]    the driver: the system's, or one that stands in for it */
#include "digits.h"
#include "gpu.h"
#include "test_digits.h"

#include <stdio.h>

enum { PIXELS = 64, CLASSES = 10 };

static int best(const float *probabilities) {
  int answer = 0;
  for (int i = 1; i < CLASSES; ++i)
    if (probabilities[i] > probabilities[answer])
      answer = i;
  return answer;
}

static void toFloats(const struct TestDigit *digit, float *image) {
  for (int i = 0; i < PIXELS; ++i)
    image[i] = (float)digit->pixels[i] / 16.0f;
}

/* From and to the host's memory; a call returns when the result is there. The number of digits that are read right, or
 * -1. */
static int readOnHost(digits_instance *net, int count) {
  int right = 0;
  for (int d = 0; d < count; ++d) {
    float image[PIXELS], probabilities[CLASSES];
    toFloats(&testDigits[d], image);
    digits_inputs in = {0};
    digits_outputs out = {0};
    in.image = image;
    out.probabilities = probabilities;
    if (digits_run(net, &in, &out) != 0)
      return -1;
    right += best(probabilities) == testDigits[d].label;
  }
  return right;
}

/* All on the device: copies and calls are put into the stream one behind the other, and waited for once. */
static int readOnStream(digits_instance *net, const struct Gpu *gpu, int count) {
  float images[sizeof testDigits / sizeof *testDigits][PIXELS];
  float probabilities[sizeof testDigits / sizeof *testDigits][CLASSES];
  void *stream = NULL, *image = NULL, *result = NULL;
  int right = 0, good = gpu->streamCreate(&stream, 1) == 0 && gpu->allocate(&image, sizeof *images) == 0 &&
                        gpu->allocate(&result, sizeof *probabilities) == 0;
  for (int d = 0; good && d < count; ++d) {
    toFloats(&testDigits[d], images[d]);
    digits_inputs in = {0};
    digits_outputs out = {0};
    in.image = (const float *)image;
    out.probabilities = (float *)result;
    good = gpu->toDevice(image, images[d], sizeof *images, stream) == 0 &&
           digits_run_with(net, &in, &out, stream) == 0 &&
           gpu->toHost(probabilities[d], result, sizeof *probabilities, stream) == 0;
  }
  good = stream && gpu->synchronize(stream) == 0 && good;
  for (int d = 0; good && d < count; ++d)
    right += best(probabilities[d]) == testDigits[d].label;
  if (result)
    gpu->release(result);
  if (image)
    gpu->release(image);
  if (stream)
    gpu->streamDestroy(stream);
  return good ? right : -1;
}

int main(int argc, char **argv) {
  const int count = sizeof testDigits / sizeof *testDigits;
  const char *driver = argc > 1 ? argv[1] : NULL;
  sinter_cuda_options options = {0};
  options.size = sizeof options;
  options.driver = driver;
  digits_instance *net = NULL;
  int status = digits_create(&options, &net);
  if (status != 0) {
    fprintf(stderr, "no net on a GPU: status %d: %s\n", status, digits_error(net));
    digits_destroy(net);
    return 1;
  }
  printf(driver ? "%s stands in for the driver: kernels run on the CPU, and their times mean nothing\n" : "%s\n",
         driver ? driver : "on the GPU");

  int onHost = readOnHost(net, count);
  if (onHost < 0)
    fprintf(stderr, "a call failed: %s\n", digits_error(net));
  else
    printf("%d of %d right, from the host's memory\n", onHost, count);

  struct Gpu gpu;
  int onStream = -1;
  if (openGpu(&gpu, driver)) {
    onStream = readOnStream(net, &gpu, count);
    closeGpu(&gpu);
  }
  if (onStream < 0)
    fprintf(stderr, "a call on a stream failed: %s\n", digits_error(net));
  else
    printf("%d of %d right, on a stream\n", onStream, count);

  digits_destroy(net);
  return onHost == count && onStream == count ? 0 : 1;
}
