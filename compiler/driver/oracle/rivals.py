# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by `sinter bench --against` with SINTER_PYTHON or python3: calls Sinter's shared library (through ctypes) and other runtimes in turn on
# the same inputs, and notes how long each call takes.
# rivals.py --check PACKAGE...: fails where one is missing.
# rivals.py FOLDER: FOLDER/job.json says what to do (the other side is ../rivals.cpp); FOLDER/times.json is the answer: per program its name,
# version, "first": seconds from loading it and the model to the first result (less the import of its Python package), and "seconds" of each call, or the "problem" that kept it from running the model.
import ctypes
import importlib.util
import json
import os
import sys
import time



def missing(package):
    sys.exit(f"the Python package {package} is missing; SINTER_PYTHON names a Python that has it")


if sys.argv[1] == "--check":
    for package in ["numpy", *sys.argv[2:]]:
        if importlib.util.find_spec(package) is None:
            missing(package)
    sys.exit()

import numpy as np

folder = sys.argv[1]
with open(os.path.join(folder, "job.json"), encoding="utf-8") as file:
    job = json.load(file)
feeds = [np.load(os.path.join(folder, f"input_{i}.npy")) for i in range(len(job["inputs"]))]
# As they lie in memory for the C ABI, where two numbers of four bits share a byte.
stored = [None if feed.dtype.kind == "U" else np.fromfile(os.path.join(folder, f"input_{i}.bin"), np.uint8) for i, feed in enumerate(feeds)]


def sinter():
    """The C ABI without the header: pointers and 64-bit numbers, as docs/output-format.md lays them out."""
    library = ctypes.CDLL(job["library"])
    keep = []

    def room(size):
        """Zeros that nobody writes: pages that a call does not touch cost nothing, as in a program with such an array."""
        keep.append((ctypes.c_char * max(size, 1))())
        return ctypes.addressof(keep[-1])

    def buffer(data):
        keep.append(ctypes.create_string_buffer(data, max(len(data), 1)))
        return ctypes.addressof(keep[-1])

    def elements(i):
        if feeds[i].dtype.kind != "U":
            return stored[i].ctypes.data
        texts = [text.encode() for text in feeds[i].ravel()]
        return buffer(np.array([(buffer(text), len(text)) for text in texts], np.uint64).tobytes())

    def callers(pointers, offsets):
        """Null for what lies in the arena."""
        return [pointer if offset < 0 else 0 for pointer, offset in zip(pointers, offsets)]

    given = [elements(i) for i in range(len(feeds))]
    inputs = np.array(callers(given, job["input_offsets"]) + job["dims"] + [0], np.int64)
    results = [room(size) for size in job["output_bytes"]]
    outputs = np.array(callers(results, job["output_offsets"]) + [0] * (job["output_dims"] + 1), np.int64)
    def aligned(size, align):
        return (room(size + align) + align - 1) // align * align

    arena = aligned(job["arena_bytes"], job["arena_align"])
    weights = 0
    if job["weights"] and os.path.getsize(job["weights"]):
        keep.append(np.memmap(job["weights"], np.uint8, "r"))
        weights = keep[-1].ctypes.data
    env = np.array([7 * 8, arena, job["arena_bytes"], weights, 0, 0, 0], np.int64)
    function = getattr(library, job["prefix"] + "_run_with")
    arguments = [ctypes.c_void_p(array.ctypes.data) for array in (inputs, outputs, env)]

    placed = [(offset, data, array.size) for offset, data, array in zip(job["input_offsets"], given, stored) if offset >= 0]

    def call():
        for offset, data, size in placed:  # the call before may have written over it
            ctypes.memmove(arena + offset, data, size)
        if status := function(*arguments):
            raise RuntimeError(f"the call ended with status {status}")

    call.keep = (keep, inputs, outputs, env)
    return job["version"], call


def onnxruntime():
    import onnxruntime as ort

    ort.set_default_logger_severity(4)
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = job["threads"], 1
    for name, size in job["fixed_dims"].items():
        options.add_free_dimension_override_by_name(name, size)
    for path in {custom["library"] for custom in job["custom"]} - {""}:
        options.register_custom_ops_library(path)
    session = ort.InferenceSession(job["model"], options, providers=["CPUExecutionProvider"])
    if any(feed.dtype.kind == "U" for feed in feeds):
        values = {name: feed.astype(object) if feed.dtype.kind == "U" else feed for name, feed in zip(job["inputs"], feeds)}
        return ort.__version__, lambda: session.run(None, values)
    binding = session.io_binding()
    for name, feed in zip(job["inputs"], feeds):
        binding.bind_ortvalue_input(name, ort.OrtValue.ortvalue_from_numpy(feed))
    for output in session.get_outputs():
        binding.bind_output(output.name, "cpu")
    return ort.__version__, lambda: session.run_with_iobinding(binding)


def openvino():
    import openvino as ov

    core = ov.Core()
    model = core.read_model(job["model"])
    shapes = {name: feed.shape for name, feed in zip(job["inputs"], feeds)}
    model.reshape({port: shapes[name] for port in model.inputs for name in port.names if name in shapes})
    # f32: the arithmetic that the others do.
    settings = {"INFERENCE_NUM_THREADS": job["threads"], "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = core.compile_model(model, "CPU", settings).create_infer_request()
    for name, feed in zip(job["inputs"], feeds):
        request.set_tensor(name, ov.Tensor(feed))
    return ov.__version__.split("-")[0], request.infer


makers = {"sinter": sinter, "onnxruntime": onnxruntime, "openvino": openvino}
# Written, since memory that nobody wrote is one page of zeros.
other_memory = np.ones(job["cold_bytes"] // 8, np.int64)
answers = []
running = []
clock = time.perf_counter
for name in job["programs"]:
    answer = {"name": name, "version": "", "seconds": []}
    answers.append(answer)
    try:
        if name != "sinter":
            importlib.import_module(name)
        start = clock()
        answer["version"], call = makers[name]()
        call()
        answer["first"] = clock() - start
        for _ in range(3):
            call()
        running.append((answer["seconds"], call))
    except Exception as problem:  # whatever a runtime thinks of the model is its answer
        answer["problem"] = str(problem).strip().splitlines()[0][:200] if str(problem).strip() else type(problem).__name__
begin = clock()
rounds = 0
while running and (rounds < job["runs"] or clock() - begin < job["seconds"] * len(running)):
    rounds += 1
    for seconds, call in running:
        other_memory.sum()
        start = clock()
        call()
        seconds.append(clock() - start)
with open(os.path.join(folder, "times.json"), "w", encoding="utf-8") as file:
    json.dump(answers, file)
