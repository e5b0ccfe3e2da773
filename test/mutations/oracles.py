# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What others say of a model: the onnx checker with strict shape inference, ONNX's reference evaluator, onnxruntime without optimizations.
They crash, hang and take memory on invalid models, so each question goes to a child process with limits, and answers are kept in a file
under the hash of what was asked. An answer is a pair: "yes", "no", "unknown" (it lacks the operator, or died) or "late" (it did
not come to an end), and why."""
import hashlib
import multiprocessing
import os
import pickle
import resource
import sqlite3
import warnings

SECONDS = 10
BYTES = 6 << 30  # of address space
UNKNOWN = ("NOT_IMPLEMENTED", "Could not find an implementation", "is under development", "Unsupported model IR version", "is not a registered function/op",
           "can't be converted to MLDataType")


def checker(model, _):
    import onnx

    proto = onnx.ModelProto.FromString(model)
    inferred = onnx.shape_inference.infer_shapes(proto, check_type=True, strict_mode=True, data_prop=True)
    shaped = [info.type.HasField("tensor_type") and not info.type.tensor_type.HasField("shape") for info in inferred.graph.output]
    if not any(shaped):  # the checker wants ranks, which inference does not always know
        onnx.checker.check_model(inferred, full_check=True)


def reference(model, data):
    import onnx
    from onnx.reference import ReferenceEvaluator

    ReferenceEvaluator(onnx.ModelProto.FromString(model)).run(None, data)


def runtime(model, data):
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    named = {info.name for info in session.get_inputs()}
    session.run(None, {name: value for name, value in data.items() if name in named})


ORACLES = {"checker": checker, "reference": reference, "onnxruntime": runtime}


def serve(pipe):
    os.environ["ALLOW_RELEASED_ONNX_OPSET_ONLY"] = "0"
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while True:
        oracle, model, data = pipe.recv()
        try:
            ORACLES[oracle](model, data)
            answer = ("yes", "")
        except (MemoryError, ImportError) as error:  # a library that finds no room
            answer = ("late", type(error).__name__)
        except BaseException as error:  # whatever it is, it is the oracle's no
            why = f"{type(error).__name__}: {error}".replace("\n", " ")[:300]
            answer = ("unknown" if oracle == "onnxruntime" and any(text in why for text in UNKNOWN) else "no", why)
        pipe.send(answer)


class Oracles:
    """One child that answers, started anew whenever it dies or takes too long."""

    def __init__(self, cache):
        self.cache = sqlite3.connect(cache, timeout=60, isolation_level=None)
        self.cache.execute("pragma journal_mode=wal")
        self.cache.execute("pragma synchronous=off")
        self.cache.execute("create table if not exists answers (key text primary key, answer text, why text)")
        self.child = None

    def start(self):
        self.pipe, other = multiprocessing.Pipe()
        self.child = multiprocessing.get_context("fork").Process(target=serve, args=(other,), daemon=True)
        self.child.start()
        other.close()

    def stop(self):
        if self.child is not None:
            self.child.kill()
            self.child.join()
            self.child = None

    def ask(self, oracle, subject):
        model, data = subject.model.SerializeToString(), subject.data
        key = hashlib.sha256(b"2" + oracle.encode() + model + pickle.dumps(data, protocol=4)).hexdigest()
        known = self.cache.execute("select answer, why from answers where key = ?", (key,)).fetchone()
        if known:
            return known
        if self.child is None:
            self.start()
        try:
            self.pipe.send((oracle, model, data))
            answer = self.pipe.recv() if self.pipe.poll(SECONDS) else None
        except (EOFError, OSError):
            answer = ("unknown", "it died")
            self.stop()
        answer = answer or ("late", f"it took longer than {SECONDS} s")
        if answer[0] == "late":
            self.stop()
        self.cache.execute("insert or replace into answers values (?, ?, ?)", (key, *answer))
        return answer
