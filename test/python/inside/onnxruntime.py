# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs written for onnxruntime, and for onnx.backend (whose own tests are in backend.py)."""
import queue
import subprocess
import sys
import unittest

from case import WORK, Case, model, with_more_packages

with_more_packages()
import numpy as np
import onnx
import sinter
import sinter.backend
import sinter.onnxruntime as ort

X = np.array([[-1, 2, -3, 4], [5, -6, 7, -8]], np.float32)
Y = np.maximum(X, 0)

# Of other providers, of plugins and adapters, or of onnxruntime's own tuning.
ELSEWHERE = {"add_active_adapter", "add_external_initializers_from_files_in_memory", "add_provider_for_devices",
             "clear_ep_context_data_read_func", "set_ep_context_data_read_func", "set_load_cancellation_flag",
             "set_provider_selection_policy", "set_provider_selection_policy_delegate",
             "create_ortvalue_from_shape_and_type", "get_input_epdevices",
             "get_outputs_as_ortvaluevector", "get_provider_graph_assignment_info", "get_tuning_results",
             "as_sparse_tensor", "ort_value_from_sparse_tensor", "release_captured_graph", "run_with_ortvaluevector", "set_ep_dynamic_options", "set_tuning_results"}  # fmt: skip


# Of the module: these, what onnxruntime's own compiler of models takes, and what it imports for itself.
NAMES_ELSEWHERE = {"AdapterFormat", "LoraAdapter", "OrtCompileApiFlags", "OrtDeviceMemoryType", "OrtDeviceVendorId", "OrtExecutionProviderDevicePolicy",
                   "OrtExternalInitializerInfo", "OrtMemoryInfoDeviceType", "OrtSparseFormat", "OrtSyncStream", "SessionIOBinding", "SparseTensor", "contextlib",
                   "cuda_version", "import_capi_exception", "onnxruntime_validation", "package_name", "unregister_execution_provider_library", "version"}  # fmt: skip


class Sessions(Case):
    def test_run(self):
        options = ort.SessionOptions()
        options.intra_op_num_threads = 2
        session = ort.InferenceSession(str(model("open")), options, providers=["CPUExecutionProvider"], dims={"batch": (1, 4)})
        (arg,) = session.get_inputs()
        self.assertEqual((arg.name, arg.type, arg.shape), ("x", "tensor(float)", ["batch", 4]))
        self.assertEqual([output.name for output in session.get_outputs()], ["y"])
        np.testing.assert_array_equal(session.run(None, {"x": X})[0], Y)
        np.testing.assert_array_equal(session.run(["y"], {"x": X[:1]})[0], Y[:1])
        with self.refused(sinter.InputError, "no output 'z'"):
            session.run(["z"], {"x": X})

    def test_open_sizes(self):
        session = ort.InferenceSession(model("open").read_bytes())
        self.assertEqual(session.get_inputs()[0].shape, ["batch", 4])
        for x, y in ((X, Y), (X[:1], Y[:1]), (X, Y)):
            np.testing.assert_array_equal(session.run(None, {"x": x})[0], y)
        with self.refused(sinter.InputError, "'x'"):
            session.run(None, {"x": X[0]})
        with self.refused(sinter.ModelError, "E0201"):
            ort.InferenceSession(model("unknown"))

    def test_maps(self):
        """Rows of numbers with labels are dicts, as in onnxruntime; arrays in sinter's own calls."""
        x = np.array([[1, 2, -3], [-4, 5, 6]], np.float32)
        session = ort.InferenceSession(model("numbers"))
        self.assertEqual(session.get_outputs()[0].type, "seq(map(int64,tensor(float)))")
        for rows in (x, x[:1], x):
            z, y = session.run(None, {"x": rows})
            np.testing.assert_array_equal(y, np.maximum(rows, 0))
            self.assertEqual(z, [{6: float(row[0]), 4: float(row[1]), 5: float(row[2])} for row in y])
        session = ort.InferenceSession(model("words"))
        (output,) = session.get_outputs()
        self.assertEqual((output.type, output.shape), ("seq(map(string,tensor(float)))", []))
        self.assertEqual(session.run(["z"], {"x": x[:, :2]}), [[{"two": 1.0, "one": 2.0}, {"two": -4.0, "one": 5.0}]])
        np.testing.assert_array_equal(session.run_with_ort_values(None, {"x": ort.OrtValue.ortvalue_from_numpy(x[:, :2])})[0].numpy(), x[:, :2])
        compiled = sinter.compile(model("words"))
        np.testing.assert_array_equal(compiled(x[:, :2]), x[:, :2])
        self.assertEqual(dict(compiled.labels), {"z": ["two", "one"]})

    def test_exceptions(self):
        """What programs catch by onnxruntime's names is what sinter calls it, too; onnxruntime raises the same on the same."""
        state = ort.capi.onnxruntime_pybind11_state
        session = ort.InferenceSession(model("small"))
        empty = WORK / "no_model.onnx"
        empty.write_bytes(b"no model")
        for use, name, kind in (
            (lambda: session.run(None, {"x": X[:, :2]}), "InvalidArgument", sinter.InputError),
            (lambda: session.run(None, {"x": X[:1].astype(np.int32)}), "InvalidArgument", sinter.InputError),
            (lambda: session.run(None, {}), "InvalidArgument", ValueError),
            (lambda: ort.InferenceSession(model("index")).run(None, {"x": X.reshape(-1)[:4], "i": np.array([0, 9])}), "InvalidArgument", sinter.CallError),
            (lambda: ort.InferenceSession(model("nowhere")), "NoSuchFile", sinter.SinterError),
            (lambda: ort.InferenceSession(empty), "InvalidProtobuf", sinter.ModelError),
            (lambda: ort.InferenceSession(model("unknown")), "InvalidGraph", sinter.ModelError),
        ):
            for caught in (getattr(state, name), kind):
                with self.assertRaises(caught):
                    use()
            with self.assertRaises(sinter.SinterError) as again:
                use()
            self.assertEqual(type(again.exception).__name__, name)
        self.assertFalse(issubclass(state.Fail, state.InvalidArgument))

    def test_modules_by_the_name_of_onnxruntime(self):
        """The classes are the same, whichever name the package goes by."""
        program = """import sys, sinter, sinter.onnxruntime
sys.modules["onnxruntime"] = sinter.onnxruntime
from onnxruntime.capi import _pybind_state
from onnxruntime.capi.onnxruntime_inference_collection import InferenceSession
from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, NoSuchFile, NotImplemented
try:
    InferenceSession(sys.argv[1])
except NoSuchFile as error:
    print(InferenceSession is sinter.onnxruntime.InferenceSession, NoSuchFile is _pybind_state.NoSuchFile, isinstance(error, sinter.SinterError))
"""
        said = subprocess.run([sys.executable, "-c", program, model("nowhere")], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said, "True True True\n")
        names = "import onnxruntime.capi.onnxruntime_pybind11_state as s\nprint(*(n for n in dir(s) if isinstance(getattr(s, n), type) and issubclass(getattr(s, n), Exception)))"
        theirs = subprocess.run([(WORK / "python").read_text(), "-c", names], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual([name for name in theirs if not hasattr(ort.capi.onnxruntime_pybind11_state, name)], [])

    def test_sizes_of_data(self):
        """Bounds that nobody states come from the call, and rise when one needs more."""
        session = ort.InferenceSession(model("ranges"))
        self.assertEqual(session.get_outputs()[0].shape, ["k"])
        for count in (3, 5, 4000, 0):
            np.testing.assert_array_equal(session.run(None, {"n": np.array(count, np.int64)})[0], np.arange(count))
        with self.refused(sinter.ModelError, "E0308"):
            sinter.compile(model("ranges"))

    def test_options(self):
        options = ort.SessionOptions()
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.assertEqual(options.get_session_config_entry("session.intra_op.allow_spinning"), "0")
        options.add_free_dimension_override_by_name("batch", 2)
        with self.assertWarnsRegex(UserWarning, "CUDAExecutionProvider"):
            session = ort.InferenceSession(model("open"), options, providers=[("CUDAExecutionProvider", {"device_id": 0}), "CPUExecutionProvider"])
        self.assertEqual(session.get_providers(), ["CPUExecutionProvider"])
        self.assertEqual(session.get_inputs()[0].shape, [2, 4])
        with self.refused(sinter.UsageError, "custom_ops"):
            options.register_custom_ops_library("x.so")
        with self.refused(sinter.UsageError, "a provider is a name"):
            ort.InferenceSession(model("small"), providers=[3])
        with self.refused(sinter.UsageError, "providers come as a list, not as 'CPUExecutionProvider'"):
            ort.InferenceSession(model("small"), providers="CPUExecutionProvider")
        with self.refused(AttributeError, "intra_op_num_thread'"):
            options.intra_op_num_thread = 4

    def test_run_options(self):
        session, options = ort.InferenceSession(model("small")), ort.RunOptions()
        options.log_severity_level = 3
        np.testing.assert_array_equal(session.run(None, {"x": X[:1]}, options)[0], Y[:1])
        options.terminate = True
        with self.refused(sinter.CallError, "terminate"):
            session.run(None, {"x": X[:1]}, options)

    def test_metadata(self):
        meta = ort.InferenceSession(model("described")).get_modelmeta()
        self.assertEqual((meta.producer_name, meta.graph_name, meta.domain, meta.version), ("tests", "net", "org.example", 7))
        self.assertEqual((meta.description, meta.custom_metadata_map), ("a net", {"labels": "a,b"}))

    def test_values(self):
        session = ort.InferenceSession(model("small"))
        value = ort.OrtValue.ortvalue_from_numpy(X[:1].copy())
        self.assertEqual((value.data_type(), value.element_type(), value.shape(), value.is_tensor(), value.tensor_size_in_bytes()), ("tensor(float)", 1, [1, 4], True, 16))
        (made,) = session.run_with_ort_values(["y"], {"x": value})
        np.testing.assert_array_equal(made.numpy(), Y[:1])
        value.update_inplace(X[1:])
        np.testing.assert_array_equal(session.run(["y"], {"x": value})[0], Y[1:])
        with self.refused(sinter.InputError, "float32.2,4. was given"):
            value.update_inplace(X)
        self.assertTrue(np.shares_memory(np.from_dlpack(value), value.numpy()))
        halves = ort.OrtValue.ortvalue_from_shape_and_type([2], onnx.TensorProto.BFLOAT16)
        again = ort.OrtValue.from_dlpack(halves)
        self.assertEqual(again.element_type(), onnx.TensorProto.BFLOAT16)
        self.assertTrue(np.shares_memory(again.numpy(), halves.numpy()))
        self.assertEqual(ort.OrtValue.ortvalue_from_shape_and_type([2], onnx.TensorProto.INT64).numpy().dtype, np.int64)

    def test_async(self):
        session, heard = ort.InferenceSession(model("small")), queue.Queue()
        session.run_async(None, {"x": X[:1]}, lambda *said: heard.put(said), "mine")
        outputs, mine, error = heard.get(timeout=60)
        self.assertEqual((mine, error), ("mine", ""))
        np.testing.assert_array_equal(outputs[0], Y[:1])
        session.run_async(None, {}, lambda *said: heard.put(said), None)
        self.assertIn("'x' is missing", heard.get(timeout=60)[2])

    def test_whole(self):
        """What onnxruntime's classes have for calls on the CPU, these have."""
        program = "import onnxruntime as o; print(*(n + '.' + m for n in ('InferenceSession', 'RunOptions', 'IOBinding', 'SessionOptions', 'OrtValue', 'OrtDevice') for m in dir(getattr(o, n)) if m[0] != '_'))"
        there = subprocess.run([(WORK / "python").read_text(), "-c", program], capture_output=True, text=True, check=True).stdout.split()
        missing = [one for one in there if not hasattr(getattr(ort, one.split(".")[0]), one.split(".")[1]) and one.split(".")[1] not in ELSEWHERE]
        self.assertEqual(missing, [])

        theirs = subprocess.run([(WORK / "python").read_text(), "-c", "import onnxruntime as o; print(*(n for n in dir(o) if n[0] != '_'))"], capture_output=True, text=True, check=True).stdout.split()
        missing = [name for name in theirs if not hasattr(ort, name) and name not in NAMES_ELSEWHERE and not name.startswith(("Model", "OrtEp", "OrtHardware"))]
        self.assertEqual(missing, [])

    def test_surroundings(self):
        """What programs ask of the process and of memory before they make a session."""
        ort.preload_dlls()
        ort.set_global_thread_pool_sizes(1, 1)
        ort.set_default_logger_callback(None)
        memory = ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
        ort.create_and_register_allocator(memory, ort.OrtArenaCfg({"max_mem": 0}))
        self.assertEqual((ort.get_ep_devices(), ort.has_collective_ops(), memory.name), ([], False, "Cpu"))
        with self.refused(sinter.UsageError, "'mine'.*target="):
            ort.register_execution_provider_library("mine", "libmine.so")
        options = ort.SessionOptions()
        options.add_provider("XnnpackExecutionProvider", {"intra_op_num_threads": "1"})
        self.assertTrue(options.has_providers() and not ort.SessionOptions().has_providers())
        with self.assertWarnsRegex(UserWarning, "XnnpackExecutionProvider"):
            session = ort.InferenceSession(model("small"), options)
        self.assertEqual((session._model_path, session.get_input_memory_infos()[0].name, len(session.get_output_memory_infos())), (str(model("small")), "Cpu", 1))
        self.assertIsNone(ort.InferenceSession(model("small").read_bytes())._model_path)
        bits = np.array([0x3F80, 0xC000], np.uint16)
        value = ort.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, onnx.TensorProto.BFLOAT16)
        self.assertEqual((value.data_type(), value.numpy().astype(np.float32).tolist()), ("tensor(bfloat16)", [1, -2]))
        self.assertTrue(np.shares_memory(value.numpy(), bits))
        with self.refused(sinter.InputError, "4 bytes"):
            ort.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, onnx.TensorProto.FLOAT)
        source, to = (ort.OrtValue.ortvalue_from_numpy(x.copy()) for x in (X, Y))
        ort.copy_tensors([source], [to])
        np.testing.assert_array_equal(to.numpy(), X)

    def test_binding(self):
        session = ort.InferenceSession(model("small"))
        binding, out = session.io_binding(), np.empty((1, 4), np.float32)
        binding.bind_cpu_input("x", X[:1])
        binding.bind_output("y", "cpu", 0, np.float32, out.shape, out.ctypes.data)
        session.run_with_iobinding(binding)
        np.testing.assert_array_equal(out, Y[:1])
        out[:] = 0
        x = X[:1].copy()
        binding.bind_input("x", "cpu", 0, onnx.TensorProto.FLOAT, x.shape, x.ctypes.data)
        binding.bind_output("y", "cpu", 0, onnx.TensorProto.FLOAT, out.shape, out.ctypes.data)
        session.run_with_iobinding(binding)
        np.testing.assert_array_equal(out, Y[:1])
        binding.clear_binding_outputs()
        binding.bind_output("y")
        binding.bind_ortvalue_input("x", ort.OrtValue.ortvalue_from_numpy(X[1:]))
        session.run_with_iobinding(binding)
        np.testing.assert_array_equal(binding.copy_outputs_to_cpu()[0], Y[1:])
        with self.refused(sinter.InputError, "cuda"):
            binding.bind_output("y", "cuda")
        with self.refused(sinter.InputError, "has no room for int4"):
            binding.bind_input("x", "cpu", 0, onnx.TensorProto.INT4, x.shape, x.ctypes.data)


class Backend(Case):
    def test_backend(self):
        made = sinter.backend.run_node(onnx.helper.make_node("Add", ["a", "b"], ["c"]), [X, X])
        np.testing.assert_array_equal(made.c, X + X)
        prepared = sinter.backend.prepare(onnx.load(model("open")))
        np.testing.assert_array_equal(prepared.run([X])[0], Y)
        self.assertTrue(sinter.backend.supports_device("CPU") and not sinter.backend.supports_device("CUDA"))


if __name__ == "__main__":
    unittest.main()
