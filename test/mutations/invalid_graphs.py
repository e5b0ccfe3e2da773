# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Invalid models that are more than one node (invalid_models.py): If, Loop, Scan, SequenceMap, functions, sequences, trees, declarations. Each is
ONNX's text form with one thing changed."""
from onnx import helper, parser

HEADER = '<ir_version: 10, opset_import: ["": 22, "local": 1]>\n'

# A valid model, then pairs of what stands in it and what is put there instead.
CHANGED = [
    ("""g (bool c, float[2] x) => (float[N] y) {
          y = If (c) <then_branch = t () => (float[2] a) { a = Neg (x) }, else_branch = e () => (float[2] b) { b = Abs (x) }>
        }""",
     [("If (c)", "If (x)"), ("If (c)", "If ()"), ("If (c)", "If (c, c)"), ("(bool c", "(bool[2] c"), ("(bool c", "(bool[0] c"), ("(bool c", "(int64 c"),
      ("t () => (float[2] a)", "t () => ()"), ("e () => (float[2] b)", "e () => ()"), ("t () => (float[2] a)", "t (float[2] z) => (float[2] a)"),
      ("e () => (float[2] b)", "e () => (float[2] b, float[2] b)"), ("y = If", "y, z = If"), ("=> (float[2] b) { b = Abs (x) }", "=> (int64[2] b) { b = Cast <to = 7> (x) }"),
      ("=> (float[2] b) { b = Abs (x) }", "=> (bool[2] b) { b = Less (x, x) }"), ("{ b = Abs (x) }", "{ b = Abs (q) }"), ("=> (float[2] b)", "=> (float[2] q)"),
      (", else_branch = e () => (float[2] b) { b = Abs (x) }", ""), ("{ a = Neg (x) }", "{ a = Neg (a) }"), ("{ a = Neg (x) }", "{ x = Neg (x) a = Abs (x) }"),
      ("{ b = Abs (x) }", "{ s = SequenceConstruct (x) b = Identity (s) }"), ("float[N] y", "int64[N] y"), ("float[N] y", "float[3] y"), ("float[N] y", "float[2,1] y")]),
    ("""g (bool c, float[2] x) => (float[2] y, float[K,2] s) {
          n = Constant <value_int = 3> ()
          y, s = Loop (n, c, x) <body = b (int64 i, bool d, float[2] v) => (bool e, float[2] w, float[2] o) {
            e = Identity (d) w = Neg (v) o = Abs (v) }>
        }""",
     [("Loop (n, c, x)", "Loop (n, c)"), ("Loop (n, c, x)", "Loop (n, c, x, x)"), ("Loop (n, c, x)", "Loop (x, c, x)"), ("Loop (n, c, x)", "Loop (n, x, x)"), ("Loop (n, c, x)", "Loop (n, c, n)"),
      ("Loop (n, c, x)", 'Loop (n, c, "")'), ("Loop (n, c, x)", "Loop ()"), ("Loop (n, c, x)", "Loop (n)"), ("value_int = 3", "value_ints = [3, 3]"), ("bool c,", "bool[3] c,"), ("value_int = 3", "value_float = 3.0"), ("value_int = 3", "value_string = \"3\""),
      ("b (int64 i, bool d, float[2] v)", "b (int64 i, bool d)"), ("b (int64 i, bool d, float[2] v)", "b (int64 i, bool d, float[2] v, float[2] u)"), ("b (int64 i, bool d, float[2] v)", "b ()"), ("b (int64 i, bool d, float[2] v)", "b (int64 i)"),
      ("b (int64 i, bool d, float[2] v)", "b (int64 i, bool d, int64[2] v)"), 
      ("b (int64 i, bool d", "b (float i, bool d"), ("b (int64 i, bool d", "b (int64 i, float d"), ("=> (bool e, float[2] w, float[2] o)", "=> (bool e, float[2] w)"), ("=> (bool e, float[2] w, float[2] o)", "=> (bool e)"), ("=> (bool e, float[2] w, float[2] o)", "=> ()"),
      ("=> (bool e, float[2] w, float[2] o)", "=> (bool e, float[2] w, float[2] o, float[2] w)"), ("=> (bool e, float[2] w, float[2] o)", "=> (float[2] w, bool e, float[2] o)"), ("e = Identity (d)", "e = Abs (v)"),
      ("w = Neg (v)", "w = Cast <to = 7> (v)"), ("w = Neg (v)", "w = Less (v, v)"), ("w = Neg (v)", "w = Identity (i)"), ("w = Neg (v)", "w = Neg (q)"),
      ("y, s = Loop", "y = Loop"), ("y, s = Loop", "y, s, t = Loop"), ("y, s = Loop", "y, s, t, u = Loop"), ("float[K,2] s", "float[2] s"), ("float[K,2] s", "int64[K,2] s"), ("=> (float[2] y,", "=> (float[3] y,"),
      ("o = Abs (v)", "o = SequenceConstruct (v)")]),
    ("""g (float[2] x, float[5,3] q) => (float[2] y, float[5,3] s) {
          y, s = Scan <num_scan_inputs = 1, body = b (float[2] v, float[3] r) => (float[2] w, float[3] o) { w = Neg (v) o = Abs (r) }> (x, q)
        }""",
     [("num_scan_inputs = 1", "num_scan_inputs = 0"), ("num_scan_inputs = 1", "num_scan_inputs = 2"), ("num_scan_inputs = 1", "num_scan_inputs = 3"), ("num_scan_inputs = 1", "num_scan_inputs = -1"), ("num_scan_inputs = 1", "num_scan_inputs = 1099511627776"),
      ("(x, q)", "(x)"), ("(x, q)", "(q, x)"), ("(x, q)", "()"), ("(x, q)", "(x, q, q)"), ("(x, q)", '(x, "")'), ("float[5,3] q", "float q"), ("float[5,3] q", "int64[5,3] q"), ("float[5,3] q", "float[5,4] q"), ("float[5,3] q", "float[5,3,1] q"),
      ("num_scan_inputs = 1", "num_scan_inputs = 1, scan_input_axes = [2]"), ("num_scan_inputs = 1", "num_scan_inputs = 1, scan_input_axes = [-3]"), ("num_scan_inputs = 1", "num_scan_inputs = 1, scan_input_axes = [0, 0]"),
      ("num_scan_inputs = 1", "num_scan_inputs = 1, scan_output_axes = [2]"), ("num_scan_inputs = 1", "num_scan_inputs = 1, scan_output_axes = [0, 1]"), ("num_scan_inputs = 1", "num_scan_inputs = 1, scan_input_directions = [2]"), ("num_scan_inputs = 1", "num_scan_inputs = 1, scan_input_directions = [0, 1]"),
      ("num_scan_inputs = 1", "num_scan_inputs = 1, scan_output_directions = [-1]"), ("num_scan_inputs = 1", "num_scan_inputs = 1, scan_output_directions = [0, 0, 0]"), ("(float[2] v, float[3] r)", "(float[2] v)"), ("(float[2] v, float[3] r)", "()"), ("(float[2] v, float[3] r)", "(float[2] v, float[3] r, float[3] t)"),
      ("=> (float[2] w, float[3] o)", "=> (float[2] w)"), ("=> (float[2] w, float[3] o)", "=> ()"), ("=> (float[2] w, float[3] o)", "=> (float[2] w, float[3] o, float[3] o)"), ("w = Neg (v)", "w = Cast <to = 7> (v)"), ("w = Neg (v)", "w = ReduceSum <keepdims = 0> (v)"), ("w = Neg (v)", "w = Concat <axis = 0> (v, v)"),
      ("y, s = Scan", "y = Scan"), ("y, s = Scan", "y, s, t = Scan"), ("float[3] r", "float[4] r"), ("float[3] r", "float[3,3] r"), ("float[2] v", "int64[2] v"), ("float[5,3] s", "float[3] s"), ("float[5,3] s", "float[5,4] s")]),
    ("""g (float[2] x, float[2] z) => (float[N] y) {
          s = SequenceConstruct (x, z)
          t = SequenceMap <body = b (float[2] v) => (float[2] w) { w = Neg (v) }> (s)
          y = ConcatFromSequence <axis = 0> (t)
        }""",
     [("> (s)", "> (x)"), ("> (s)", "> ()"), ("> (s)", "> (s, s)"), ("b (float[2] v)", "b (float[2] v, float[2] u)"), ("b (float[2] v)", "b ()"), ("=> (float[2] w)", "=> ()"), ("=> (float[2] w)", "=> (float[2] w, float[2] w)"),
      ("t = SequenceMap", "t, q = SequenceMap"), ("SequenceConstruct (x, z)", "SequenceConstruct ()"), ("b (float[2] v)", "b (int64[2] v)"), ("float[2] z", "int64[2] z"), ("float[N] y", "seq(float) y"), ("w = Neg (v)", "w = SequenceConstruct (v)")]),
    ("""g (float[2] x, float[3] z) => (float[N] y) {
          s = SequenceConstruct (x, z) i = Constant <value_int = 1> () y = SequenceAt (s, i)
        }""",
     [("SequenceAt (s, i)", "SequenceAt (x, i)"), ("SequenceAt (s, i)", "SequenceAt (s)"), ("SequenceAt (s, i)", "SequenceAt (s, x)"), ("value_int = 1", "value_int = 2"), ("value_int = 1", "value_int = -3"), ("value_int = 1", "value_ints = [0, 1]"), ("SequenceAt (s, i)", "Neg (s)"),
      ("SequenceAt (s, i)", "SequenceLength (s)"), ("SequenceAt (s, i)", "ConcatFromSequence <axis = 1> (s)"), ("SequenceAt (s, i)", "SequenceErase (s, i)"), ("SequenceAt (s, i)", "SequenceInsert (s, x, i)"), ("SequenceAt (s, i)", "Concat <axis = 0> (s, x)"), ("SequenceAt (s, i)", "Identity (s)")]),
    ("""g (float[2,3,4] q, float[2,6,4] k, float[2,6,5] v, float[3,6] m) => (float[A,B,C] y) {
          t = Transpose <perm = [0, 2, 1]> (k) s = MatMul (q, t) b = Add (s, m) p = Softmax <axis = -1> (b) y = MatMul (p, v)
        }""",
     [("float[2,6,5] v", "float[2,5,5] v"), ("float[2,6,5] v", "float[2,7,5] v"), ("float[2,6,5] v", "float[2,0,5] v"), ("float[2,6,4] k", "float[2,6,3] k"), ("float[2,6,4] k", "float[2,7,4] k"), ("float[2,6,4] k", "float[3,6,4] k"),
      ("float[2,6,5] v", "float[3,6,5] v"), ("float[3,6] m", "float[3,5] m"), ("float[3,6] m", "float[2,6] m"), ("float[3,6] m", "float[5,3,6] m"), ("float[2,3,4] q", "float[2,3,5] q"), ("float[2,3,4] q", "float[2,1,3,4] q")]),
    ("""g (float[2,3,4] x, float[4] w, float[4] b) => (float[2,3,4] y) {
          a = Constant <value_ints = [-1]> () two = Constant <value_float = 2.0> () e = Constant <value_float = 0.00001> ()
          m = ReduceMean (x, a) d = Sub (x, m) p = Pow (d, two) v = ReduceMean (p, a) ve = Add (v, e) r = Sqrt (ve) n = Div (d, r) s = Mul (n, w) y = Add (s, b)
        }""",
     [("float[4] w", "float[3] w"), ("float[4] w", "float[5,4] w"), ("float[4] b", "float[3] b"), ("float[4] b", "float[2,4] b"), ("[-1]", "[3]"), ("float[4] w", "float[0] w")]),
    ("""g (float[6] x) => (float[N] y) {
          p = Constant <value_ints = [2, 4]> () s = SplitToSequence (x, p) i = Constant <value_int = 1> () y = SequenceAt (s, i)
        }""",
     [("[2, 4]", "[2, 3]"), ("[2, 4]", "[2, 5]"), ("[2, 4]", "[8, -2]"), ("[2, 4]", "[9223372036854775807, 9223372036854775807, 8]"), ("value_ints = [2, 4]", "value_int = 0"), ("value_ints = [2, 4]", "value_int = -2"),
      ("SplitToSequence (x", "SplitToSequence <axis = 1> (x"), ("float[6] x", "float x"), ("value_ints = [2, 4]", "value_float = 2.0")]),
    ("""g (float[2] x, float[2] z) => (float[2] y) { y = local.f (x, z) }
        <domain: "local", opset_import: ["": 22]> f (a, b) => (c) { c = Sub (a, b) }""",
     [("f (x, z)", "f (x)"), ("f (x, z)", "f ()"), ("f (x, z)", "f (x, z, z)"), ("f (x, z)", 'f (x, "")'), ("f (x, z)", 'f ("", z)'), ("f (x, z)", "h (x, z)"), ("y = local.f", "y, q = local.f"), ("y = local.f", "y, q, r = local.f"), ("c = Sub (a, b)", "c = Sub (a, q)"), ("c = Sub (a, b)", "q = Sub (a, b)"),
      ("c = Sub (a, b)", "c = local.f (a, b)"), ("f (a, b) => (c)", "f (a, b) => (c, d)"), ("f (a, b) => (c)", "f (a, b) => ()"), ("f (a, b) => (c)", "f (a, a) => (c)"), ("f (a, b) => (c)", "f () => (c)"), ("float[2] z", "float[3] z"), ("float[2] z", "int64[2] z"), ("c = Sub (a, b)", "c = MatMul (a, c)"),
      ("f (x, z)", "f <alpha = 1> (x, z)"), ("c = Sub (a, b)", "c = Sub (a, b) c = Neg (a)")]),
    ("""g (float[2] x) => (float[2] y) { a = Neg (x) y = Abs (a) }""",
     [("a = Neg (x)", "a = Neg (y)"), ("y = Abs (a)", "y = Abs (q)"), ("y = Abs (a)", "a = Abs (a)"), ("y = Abs (a)", "x = Abs (a)"), ("float[2] y", "float[3] y"), ("float[2] y", "float[2,1] y"), ("float[2] y", "float y"), ("float[2] y", "int64[2] y"), ("float[2] y", "float[2] q"), ("float[2] y", "seq(float) y"),
      ("y = Abs (a)", "y = Abs (a) y = Neg (a)"), ("a = Neg (x)", "a, b = Neg (x)"), ("a = Neg (x)", "a = Nonsense (x)"), ("a = Neg (x)", "a = nowhere.Neg (x)")]),
]  # fmt: skip


def changed():
    for text, changes in CHANGED:
        name = " ".join(text.split())
        yield "+ " + name, True, parser.parse_model(HEADER + text)
        for old, new in changes:
            assert text.count(old) >= 1, old
            yield f"{name[:40]}...: {old} -> {new}", False, parser.parse_model(HEADER + text.replace(old, new, 1))


TREE = {
    "n_targets": 1, "nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2], "nodes_featureids": [0, 0, 0], "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"],
    "nodes_values": [0.5, 0.0, 0.0], "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0], "target_treeids": [0, 0], "target_nodeids": [1, 2],
    "target_ids": [0, 0], "target_weights": [1.0, 2.0],
}  # fmt: skip
HUGE = 1 << 40
TREE_CHANGES = [
    {"nodes_featureids": [0, 0]}, {"nodes_featureids": [3, 0, 0]}, {"nodes_featureids": [-1, 0, 0]}, {"nodes_featureids": [HUGE, 0, 0]}, {"nodes_modes": ["BRANCH_LEQ", "LEAF"]}, {"nodes_modes": ["BRANCH_ODD", "LEAF", "LEAF"]},
    {"nodes_values": [0.5, 0.0]}, {"nodes_values": [0.5, 0.0, 0.0, 0.0]}, {"nodes_treeids": [0, 0]}, {"nodes_nodeids": [0, 1]}, {"nodes_nodeids": [0, 1, 1]}, {"nodes_truenodeids": [0, 0, 0]}, {"nodes_truenodeids": [7, 0, 0]},
    {"nodes_truenodeids": [-1, 0, 0]}, {"nodes_truenodeids": [HUGE, 0, 0]}, {"nodes_truenodeids": [1, 0]}, {"nodes_falsenodeids": [9, 0, 0]}, {"nodes_falsenodeids": [2]},
    {"nodes_modes": ["BRANCH_LEQ", "BRANCH_LEQ", "LEAF"], "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 2, 0]}, {"nodes_modes": ["BRANCH_LEQ", "BRANCH_LEQ", "LEAF"], "nodes_truenodeids": [1, 1, 0], "nodes_falsenodeids": [2, 2, 0]},
    {"target_ids": [0, 1]}, {"target_ids": [0, -1]}, {"target_ids": [0, HUGE]}, {"target_ids": [0]}, {"target_weights": [1.0]}, {"target_weights": [1.0, 2.0, 3.0]}, {"target_nodeids": [1, 9]}, {"target_nodeids": [1]}, {"target_treeids": [0, 4]}, {"target_treeids": [0]},
    {"n_targets": HUGE}, {"n_targets": 0}, {"n_targets": -1}, {"base_values": [1.0, 2.0]}, {"aggregate_function": "NONSENSE"}, {"post_transform": "NONSENSE"},
]  # fmt: skip


def trees():
    for i, change in enumerate([{}] + TREE_CHANGES):
        attributes = {**TREE, **change}
        x, y = (helper.make_tensor_value_info(name, 1, None if name == "y" else [2, 3]) for name in "xy")
        node = helper.make_node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", **attributes)
        imports = [helper.make_opsetid("", 22), helper.make_opsetid("ai.onnx.ml", 3)]
        yield f"{'' if i else '+ '}tree: {change}", i == 0, helper.make_model(helper.make_graph([node], "g", [x], [y]), opset_imports=imports, ir_version=10)


def models():
    yield from changed()
    yield from trees()
