# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The nets that the scripts in inside/ compile, in ONNX's text form."""
import onnx
from onnx import parser

HEAD = '<ir_version: 10, opset_import: ["": 21, "ai.onnx.ml": 3]>\n'
NETS = {
    "small": "net (float[1, 4] x) => (float[1, 4] y) { y = Relu(x) }",
    "open": "net (float[batch, 4] x) => (float[batch, 4] y) { y = Relu(x) }",
    "sizes": """net (float[n, 4] x, float[n, m] z) => (float[n, 4] y, float[n, k] joined, int64[found, 2] where) {
  y = Relu(x)
  joined = Concat<axis = 1>(x, z)
  places = NonZero(x)
  where = Transpose(places)
}""",
    "state": "net (float[n, 4] x, float[n, 4] h) => (float[n, 4] y, float[n, 4] h_out) { h_out = Add(x, h)\n y = Relu(h_out) }",
    "cache": """net (float[1, new, 4] x, float[1, past, 4] cache) => (float[1, total, 4] present, float[1, 1, 4] sum) {
  present = Concat<axis = 1>(cache, x)
  axes = Constant<value = int64[1] {1}>()
  sum = ReduceSum<keepdims = 1>(present, axes)
}""",
    "types": """net (bool[3] b, float16[2, 2] f, int64[2] i, string[2] s, bfloat16[2] bf, double[1] d, uint8[4] u, int4[5] q)
    => (bool[3] not_b, float16[2, 2] f2, int64[2] i2, string[2] ss, string[2] s1, bfloat16[2] bf2, double[1] d2, uint8[4] u2, int4[5] q1) {
  not_b = Not(b)
  f2 = Add(f, f)
  i2 = Add(i, i)
  ss = StringConcat(s, s)
  s1 = Identity(s)
  bf2 = Add(bf, bf)
  d2 = Add(d, d)
  u2 = Add(u, u)
  q1 = Identity(q)
}""",
    "sequence": "net (seq(float[n]) x, int64 i) => (float[m] y, seq(float[n]) z) { y = SequenceAt(x, i)\n z = SequenceInsert(x, y) }",
    "optional": "net (optional(float[2]) x) => (bool there, optional(float[2]) y) { there = OptionalHasElement(x)\n y = Identity(x) }",
    "map": "net (map(int64, float) x) => (float[1, 4] y) { y = ai.onnx.ml.CastMap<cast_to = \"TO_FLOAT\", map_form = \"SPARSE\", max_map = 4>(x) }",
    "numbers": """net (float[n, 3] x) => (seq(map(int64, float)) z, float[n, 3] y) {
  y = Relu(x)
  z = ai.onnx.ml.ZipMap<classlabels_int64s = [6, 4, 5]>(y)
}""",
    "words": "net (float[2, 2] x) => (seq(map(string, float)) z) { z = ai.onnx.ml.ZipMap<classlabels_strings = [\"two\", \"one\"]>(x) }",
    "index": "net (float[4] x, int64[2] i) => (float[2] y) { y = Gather(x, i) }",
    "ranges": "net (int64 n) => (int64[k] y) <int64 zero = {0}, int64 one = {1}> { y = Range(zero, n, one) }",
    "products": """net (float[64, 64] x) => (float[64, 64] y) {
  a = MatMul(x, x)
  b = MatMul(a, x)
  y = MatMul(b, a)
}""",
    "unknown": "net (float[1, 4] x) => (float[1, 4] y) { y = Relux(x) }",
}


def write(folder):
    """NAME.onnx of each, and one whose weights lie in another file."""
    for name, text in NETS.items():
        onnx.save(parser.parse_model(HEAD + text), folder / f"{name}.onnx")
    described = parser.parse_model(HEAD + NETS["small"])
    described.producer_name, described.domain, described.model_version, described.doc_string = "tests", "org.example", 7, "a net"
    described.metadata_props.add(key="labels", value="a,b")
    onnx.save(described, folder / "described.onnx")
    apart = parser.parse_model(HEAD + "net (float[1, 4] x) => (float[1, 4] y) <float[4] w = {1, 2, 3, 4}> { y = Mul(x, w) }")
    weights = onnx.numpy_helper.to_array(apart.graph.initializer[0])
    apart.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(weights, "w"))  # as bytes, which alone may lie elsewhere
    onnx.save(apart, folder / "apart.onnx", save_as_external_data=True, location="apart.bin", size_threshold=0)
