#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""triton_load.py [--sinter PROGRAM] [--requests N] [--clients N] [--seconds S]: `sinter --package triton` in the server that the package nvidia-pytriton carries,
as docs/serving.md reports it: clients at once with batches of their own over gRPC, wrong shapes among them, the model unloaded and loaded meanwhile; no request
is lost, all answers are onnxruntime's, and the server's memory does not grow. Then latency and throughput beside the same model as a Python model that calls
onnxruntime. Makes a virtual environment of its own, build/triton, the first time (250 MB from PyPI); it is no part of scripts/test."""

import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from pathlib import Path

from own_environment import go_on_in

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["nvidia-pytriton==0.7.0", "tritonclient[grpc]==2.73.0", "onnx==1.23.2", "onnxruntime==1.32.0"]
FEATURES, CLASSES, ROWS = 64, 10, 16
AWAY = ["is not ready", "unknown model", "no available versions", "is not found"]  # what the server says of a model that is loaded anew
PYTHON_MODEL = """import sys

sys.path.insert(0, {packages!r})
import numpy
import onnxruntime
import triton_python_backend_utils as utils


class TritonPythonModel:
    def initialize(self, args):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession({path!r}, options)

    def execute(self, requests):
        inputs = [utils.get_input_tensor_by_name(request, "x").as_numpy() for request in requests]
        (y,) = self.session.run(None, {{"x": numpy.concatenate(inputs)}})
        ends = numpy.cumsum([len(x) for x in inputs])[:-1]
        return [utils.InferenceResponse([utils.Tensor("y", part)]) for part in numpy.split(y, ends)]
"""
PYTHON_CONFIG = f"""name: "peer"
backend: "python"
max_batch_size: {ROWS}
input [ {{ name: "x" data_type: TYPE_FP32 dims: [ {FEATURES} ] }} ]
output [ {{ name: "y" data_type: TYPE_FP32 dims: [ {CLASSES} ] }} ]
dynamic_batching {{ }}
instance_group [ {{ count: 2 kind: KIND_CPU }} ]
"""


def make_model(path: Path) -> None:
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    random = numpy.random.default_rng(0)
    sizes = [FEATURES, 128, FEATURES, CLASSES]
    weights = [random.standard_normal(pair, dtype=numpy.float32) * 0.1 for pair in zip(sizes, sizes[1:])]
    nodes, value = [], "x"
    for i in range(len(weights)):
        last = i + 1 == len(weights)
        nodes.append(helper.make_node("MatMul", [value, f"w{i}"], ["y" if last else f"m{i}"]))
        if not last:
            nodes.append(helper.make_node("Relu", [f"m{i}"], [f"r{i}"]))
        value = f"r{i}"
    graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", FEATURES])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", CLASSES])],
                              [numpy_helper.from_array(weight, f"w{i}") for i, weight in enumerate(weights)])  # fmt: skip
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


class Server:
    """The server's process, over a repository whose models are loaded by name."""

    def __init__(self, repository: Path, log: Path):
        import pytriton

        server = Path(pytriton.__file__).parent / "tritonserver"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        backends = shutil.copytree(server / "backends", repository.parent / "backends", dirs_exist_ok=True)
        # What runs Python models, linked with one version of Python: copied, as its libraries are named from where it lay.
        stub = server / f"python_backend_stubs/3.{sys.version_info.minor}/triton_python_backend_stub"
        environment = os.environ | {"LD_LIBRARY_PATH": str(server.parents[1] / "nvidia_pytriton.libs")}
        shutil.copy2(stub, backends / "python")
        self.log = log.open("w")
        self.process = subprocess.Popen(
            [server / "bin/tritonserver", f"--model-repository={repository}", f"--backend-directory={backends}", "--model-control-mode=explicit",
             f"--grpc-port={self.address.split(':')[1]}", "--grpc-address=127.0.0.1", "--allow-http=false", "--allow-metrics=false"],
            env=environment, stdout=self.log, stderr=subprocess.STDOUT)  # fmt: skip

    def client(self):
        import tritonclient.grpc as grpc

        return grpc.InferenceServerClient(self.address)

    def wait(self) -> None:
        for _ in range(240):
            try:
                if self.client().is_server_ready():
                    return
            except Exception as error:  # noqa: BLE001 (of the client's many)
                if self.process.poll() is not None:
                    sys.exit(f"the server ended: {error}; {self.log.name}")
            time.sleep(0.25)
        sys.exit(f"the server is not ready after a minute: {self.log.name}")

    def resident_kib(self) -> int:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=60)


class Requests:
    """Batches, and what onnxruntime answers for them."""

    def __init__(self, model: Path):
        import numpy
        import onnxruntime

        session = onnxruntime.InferenceSession(model)
        random = numpy.random.default_rng(1)
        self.batches = [random.standard_normal((1 + i % 4, FEATURES), dtype=numpy.float32) for i in range(64)]
        self.answers = [session.run(None, {"x": batch})[0] for batch in self.batches]

    def send(self, client, model: str, number: int) -> str:
        """Empty, or what is wrong."""
        import numpy

        batch, answer = self.batches[number % 64], self.answers[number % 64]
        got = infer(client, model, batch)
        return "" if got.shape == answer.shape and numpy.allclose(got, answer, rtol=1e-4, atol=1e-5) else "another answer"


def infer(client, model: str, batch):
    import tritonclient.grpc as grpc

    x = grpc.InferInput("x", batch.shape, "FP32")
    x.set_data_from_numpy(batch)
    return client.infer(model, [x]).as_numpy("y")


def refuses_wrong_shapes(client) -> None:
    import numpy
    from tritonclient.utils import InferenceServerException

    for shape in [(1, FEATURES + 1), (ROWS + 1, FEATURES), (FEATURES,), (1, 1, FEATURES)]:
        try:
            infer(client, "net", numpy.zeros(shape, numpy.float32))
        except InferenceServerException:
            continue
        sys.exit(f"a batch of shape {shape} was taken")


def under_load(server: Server, requests: Requests, count: int, clients: int) -> None:
    """Requests while the model is loaded anew: a request that comes while it is away is refused, and sent again."""
    from tritonclient.utils import InferenceServerException

    done, wrong, away, problems = [0] * clients, [0] * clients, [0] * clients, []

    def attend(which: int) -> None:
        client = server.client()
        for number in range(which, count, clients):
            while True:
                try:
                    wrong[which] += bool(requests.send(client, "net", number))
                    break
                except InferenceServerException as problem:
                    if not any(said in str(problem) for said in AWAY):
                        problems.append(f"request {number}: {problem}")
                        return
                    away[which] += 1
                    time.sleep(0.005)
            done[which] += 1

    before = server.resident_kib()
    threads = [threading.Thread(target=attend, args=[which]) for which in range(clients)]
    begin, loads, control = time.monotonic(), 0, server.client()
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.3)
        control.unload_model("net")
        control.load_model("net")
        loads += 1
    seconds = time.monotonic() - begin
    print(f"{sum(done)} requests of 1 to 4 rows by {clients} clients, {sum(wrong)} wrong, {count - sum(done)} lost; the model loaded anew {loads} times ({sum(away)} came while it was away); "
          f"{sum(done) / seconds:.0f} a second; the process grew by {(server.resident_kib() - before) / 1024:.1f} MiB", flush=True)  # fmt: skip
    if sum(done) != count or sum(wrong):
        sys.exit("\n".join(["answers are wrong or missing", *problems]))


def speed(server: Server, requests: Requests, model: str, clients: int, seconds: float) -> tuple[float, float]:
    """The median of a call in ms, and calls a second."""
    times: list[list[float]] = [[] for _ in range(clients)]
    until = time.monotonic() + seconds

    def attend(which: int) -> None:
        client = server.client()
        while (begin := time.monotonic()) < until:
            requests.send(client, model, 0)
            times[which].append(time.monotonic() - begin)

    threads = [threading.Thread(target=attend, args=[which]) for which in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    every = [each for some in times for each in some]
    return statistics.median(every) * 1000, len(every) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sinter", default=str(ROOT / "build/bin/sinter"))
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=5, help="of each measurement of speed")
    parser.add_argument("--keep", metavar="FOLDER", help="repository and the server's log stay there")
    arguments = parser.parse_args()
    go_on_in("triton", PACKAGES)
    folder = Path(arguments.keep or tempfile.mkdtemp(prefix="triton-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        trial(arguments, folder.resolve())
    finally:
        if not arguments.keep:
            shutil.rmtree(folder)


def trial(arguments, folder: Path) -> None:
    model, repository = folder / "net.onnx", folder / "models"
    make_model(model)
    subprocess.run([arguments.sinter, model, "--package", "triton", "--target", "host", "-o", repository, "--dim", f"batch=1..{ROWS}", "--package-info", "instances=2", "--quiet"], check=True)
    (repository / "peer/1").mkdir(parents=True)
    (repository / "peer/1/model.py").write_text(PYTHON_MODEL.format(path=str(model), packages=sysconfig.get_path("purelib")))
    (repository / "peer/config.pbtxt").write_text(PYTHON_CONFIG)
    requests = Requests(model)
    server = Server(repository, folder / "server.log")
    try:
        server.wait()
        control = server.client()
        control.load_model("net")
        refuses_wrong_shapes(control)
        under_load(server, requests, min(2000, arguments.requests), arguments.clients)  # what it allocates once
        under_load(server, requests, arguments.requests, arguments.clients)
        control.load_model("peer")
        for clients in (1, 8):
            for name, said in {"net": "compiled", "peer": "Python model with onnxruntime"}.items():
                median, rate = speed(server, requests, name, clients, arguments.seconds)
                print(f"{clients} client{'s' * (clients > 1)}, {said}: {median:.2f} ms, {rate:.0f} a second", flush=True)
    finally:
        server.end()


main()
