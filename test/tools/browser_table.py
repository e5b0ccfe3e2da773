#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# browser_table.py [--sinter PROGRAM] [--nets NAME...]: packages for browsers against onnxruntime-web, one thread, in Node and in headless Chromium, as the
# table in docs/benchmarks.md; with --nets only prints it. What `scripts/benchmark --browser` runs; needs node, npm, clang-19, lld-19 and chromium.
import argparse
import functools
import http.server
import json
import math
import os
import queue
import shutil
import subprocess
import tempfile
import threading

import onnx
from benchmarks_page import write_table

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
RIVAL = "onnxruntime-web@1.30.0"
TARGETS = ["wasm32", "wasm32-relaxed"]
BEGIN, END = "<!-- browser begin: scripts/benchmark --browser -->\n", "<!-- browser end -->\n"
NETS = {
    "micro-kws float": "micro-kws/micro_kws_m_static_fp32.onnx",
    "resnet8 float": "mlperf-tiny-ic-resnet8-fp32/pretrainedResnet.onnx",
    "mobilenet v1 0.25 float": "mlperf-tiny-vww-mbv1-fp32/vww_96_float.onnx",
    "ultraface float": "ultraface-rfb320/version-RFB-320.onnx",
    "yunet float": "yunet-n/yunet_n_320_320.onnx",
    "mnist float": "mnist-8/mnist-8.onnx",
    "gtcrn float": "gtcrn/gtcrn_simple.onnx",
    "ds-cnn int8": "mlperf-tiny-kws-dscnn-int8/kws_ref_model.onnx",
    "resnet8 int8": "mlperf-tiny-ic-resnet8-int8/resnet.onnx",
    "mobilenet v1 0.25 int8": "mlperf-tiny-vww-mbv1-int8/mobilenet_v1.onnx",
    "mobilenet v2 int8": "mobilenetv2-qat-int8/mobilenetv2-qat-int8.onnx",
    "autoencoder int8": "mlperf-tiny-ad-autoencoder-int8/deep_autoencoder.onnx",
}
TYPES = {onnx.TensorProto.FLOAT: ("float32", "Float32Array"), onnx.TensorProto.UINT8: ("uint8", "Uint8Array"), onnx.TensorProto.INT8: ("int8", "Int8Array"),
         onnx.TensorProto.INT64: ("int64", "BigInt64Array")}  # fmt: skip
PAGE = """<!doctype html><script type="module">
import { compareAll } from "./browser_bench.mjs";
const at = (path) => new URL(path, location.href).href;
const config = await (await fetch("config.json")).json();
const results = await compareAll(config, at, async (path) => (await fetch(path)).arrayBuffer()).catch((error) => String(error));
await fetch("results", { method: "POST", body: JSON.stringify(results) });
</script>"""


def prepare(options, name, work):
    """Builds the packages; the net's part of the configuration."""
    path = os.path.join(options.models, NETS[name])
    model = onnx.load(path)
    stem = name.replace(" ", "_")
    shutil.copy(path, os.path.join(work, stem + ".onnx"))
    initialized = {one.name for one in model.graph.initializer}
    graph_inputs = [one for one in model.graph.input if one.name not in initialized]
    dims = sorted({dim.dim_param for one in graph_inputs for dim in one.type.tensor_type.shape.dim if dim.dim_param})
    packages, sizes = {}, {}
    for target in TARGETS:
        folder = os.path.join(work, target, stem)
        subprocess.run([options.sinter, path, "--target", target, "-o", folder, "--prefix", "net", "--quiet", *[f"--dim={dim}=1" for dim in dims]], check=True, stderr=subprocess.DEVNULL)
        packages[target] = f"{target}/{stem}/net.mjs"
        sizes[target] = sum(os.path.getsize(os.path.join(folder, file)) for file in ("net.wasm", "net.mjs"))
    inputs = []
    for one in graph_inputs:
        kind, array = TYPES[one.type.tensor_type.elem_type]
        inputs.append({"name": one.name, "type": kind, "array": array, "dims": [max(1, dim.dim_value) for dim in one.type.tensor_type.shape.dim]})
    return {"name": name, "model": stem + ".onnx", "packages": packages, "inputs": inputs}, sizes["wasm32"], os.path.getsize(path)


def in_node(work):
    said = subprocess.run(["node", "--experimental-wasm-relaxed-simd", os.path.join(work, "browser_bench.mjs"), os.path.join(work, "config.json")], check=True, capture_output=True, text=True).stdout
    return json.loads(said.splitlines()[-1])


def in_chromium(work):
    answers = queue.Queue()

    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

        def log_message(self, *_):
            pass

        def do_POST(self):
            answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=work))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen([shutil.which("chromium") or "chromium-browser", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                                    f"http://127.0.0.1:{server.server_port}/page.html"], stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            results = answers.get(timeout=600)
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    assert isinstance(results, list), results
    return results


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--models", default=os.environ.get("SINTER_MODELS", os.path.join(ROOT, "../shared/models")))
    parser.add_argument("--nets", nargs="+", default=list(NETS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--ignore-scripts", "--prefix", work, RIVAL], check=True)
        shutil.copy(os.path.join(HERE, "browser_bench.mjs"), work)
        with open(os.path.join(work, "page.html"), "w", encoding="utf-8") as file:
            file.write(PAGE)
        dist = "node_modules/onnxruntime-web/dist"
        runtime = sum(os.path.getsize(os.path.join(work, dist, file)) for file in ("ort-wasm-simd-threaded.wasm", "ort-wasm-simd-threaded.mjs", "ort.wasm.min.mjs"))
        prepared = [prepare(options, name, work) for name in options.nets]
        with open(os.path.join(work, "config.json"), "w", encoding="utf-8") as file:
            json.dump({"base": work, "ort": dist, "nets": [one for one, _, _ in prepared]}, file)
        places = {"Node": in_node(work), "Chromium": in_chromium(work)}
    head = [f"{RIVAL}, one thread; milliseconds, in brackets divided by its.", "",
            "| net | " + " | ".join(f"{place}: onnxruntime-web | wasm32 | wasm32-relaxed" for place in places) + " | MB to load | onnxruntime-web |",
            "|---|" + "---|" * (3 * len(places) + 2)]  # fmt: skip
    lines, ratios, loads = [], {(place, target): [] for place in places for target in TARGETS}, []
    for i, (net, ours, model) in enumerate(prepared):
        cells = [net["name"]]
        for place, results in places.items():
            seconds = results[i]["seconds"]
            assert results[i]["apart"] < 0.02, (net["name"], place, results[i]["apart"])
            cells.append(f"{1000 * seconds['ort']:.3f}")
            for target in TARGETS:
                ratios[place, target].append(seconds[target] / seconds["ort"])
                cells.append(f"{1000 * seconds[target]:.3f} ({ratios[place, target][-1]:.2f})")
        loads.append(ours / (runtime + model))
        cells += [f"{ours / 1e6:.3f}", f"{(runtime + model) / 1e6:.1f}"]
        lines.append("| " + " | ".join(cells) + " |")
    means = [cell for place in places for cell in ["", *(f"({mean(ratios[place, target]):.2f})" for target in TARGETS)]]
    lines.append("| " + " | ".join(["geometric mean", *means, f"({mean(loads):.3f})", ""]) + " |")
    print("\n".join(head + lines))
    if options.nets == list(NETS):
        write_table(BEGIN, END, head + lines)


main()
