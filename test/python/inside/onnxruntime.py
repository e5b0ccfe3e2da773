# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs written for onnxruntime, and for onnx.backend, with some of onnx's own tests."""
import unittest

from case import Case, model, with_more_packages

with_more_packages()
import numpy as np
import onnx
import onnx.backend.test
import sinter
import sinter.backend
import sinter.onnxruntime as ort

X = np.array([[-1, 2, -3, 4], [5, -6, 7, -8]], np.float32)
Y = np.maximum(X, 0)


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

    def test_binding(self):
        session = ort.InferenceSession(model("small"))
        binding, out = session.io_binding(), np.empty((1, 4), np.float32)
        binding.bind_cpu_input("x", X[:1])
        binding.bind_output("y", "cpu", 0, np.float32, out.shape, out.ctypes.data)
        session.run_with_iobinding(binding)
        np.testing.assert_array_equal(out, Y[:1])
        binding.clear_binding_outputs()
        binding.bind_output("y")
        binding.bind_ortvalue_input("x", ort.OrtValue.ortvalue_from_numpy(X[1:]))
        session.run_with_iobinding(binding)
        np.testing.assert_array_equal(binding.copy_outputs_to_cpu()[0], Y[1:])
        with self.refused(sinter.InputError, "cuda"):
            binding.bind_output("y", "cuda")


class Backend(Case):
    def test_backend(self):
        made = sinter.backend.run_node(onnx.helper.make_node("Add", ["a", "b"], ["c"]), [X, X])
        np.testing.assert_array_equal(made.c, X + X)
        prepared = sinter.backend.prepare(onnx.load(model("open")))
        np.testing.assert_array_equal(prepared.run([X])[0], Y)
        self.assertTrue(sinter.backend.supports_device("CPU") and not sinter.backend.supports_device("CUDA"))


suite = onnx.backend.test.BackendTest(sinter.backend, __name__)
suite.include(r"^test_(relu|add_bcast|gather_0|softmax_axis_1|shape_example|string_concat|cast_FLOAT_to_FLOAT16|reshape_reduced_dims|sequence_insert_at_back|identity_opt|optional_has_element_empty_optional_input)_cpu$")
for name, case in suite.test_cases.items():
    for test in [test for test in dir(case) if getattr(getattr(case, test), "__unittest_skip__", False)]:
        delattr(case, test)
    globals()[name] = case

if __name__ == "__main__":
    unittest.main()
