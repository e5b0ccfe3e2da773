# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes every operator schema of the onnx package, with its history, and those of contrib_schemas.txt as one binary table.

schema.cpp reads the table; the format is described there. Run while building: schema_table.py OUT CONTRIB_TXT [ONNX_DIR].
"""
import os
import re
import struct
import sys

KINDS = ["single", "optional", "variadic"]


class Writer:
    def __init__(self):
        self.bytes = bytearray()

    def number(self, value):
        self.bytes += struct.pack("<I", value)

    def blob(self, data):
        self.number(len(data))
        self.bytes += data

    def text(self, value):
        self.blob(value.encode())


def type_string(text):
    """One spelling for each type: ai.onnx.ml writes map(int64, float) for map(int64,tensor(float))."""
    text = text.replace(" ", "")
    return re.sub(r"map\((\w+),(\w+)\)", r"map(\1,tensor(\2))", text)


def write_operator(op):
    w = Writer()
    w.text(op["domain"])
    w.text(op["name"])
    for key in ("since", "deprecated", "min_input", "max_input", "min_output", "max_output", "contextual_body"):
        w.number(op[key])
    for key in ("inputs", "outputs"):
        w.number(len(op[key]))
        for name, type_text, kind, homogeneous in op[key]:
            w.text(name)
            w.text(type_string(type_text))
            w.number(KINDS.index(kind))
            w.number(homogeneous)
    w.number(len(op["constraints"]))
    for name, types in op["constraints"]:
        w.text(name)
        w.text(" ".join(sorted(map(type_string, types))))
    w.number(len(op["attributes"]))
    for name, kind, required, default in sorted(op["attributes"]):
        w.text(name)
        w.number(kind)
        w.number(required)
        w.blob(default)
    w.number(len(op["bodies"]))
    for opset, body in op["bodies"]:
        w.number(opset)
        w.blob(body)
    return bytes(w.bytes)


def operator_of_schema(schema):
    kinds = {type(schema).FormalParameterOption.Single: "single", type(schema).FormalParameterOption.Optional: "optional",
             type(schema).FormalParameterOption.Variadic: "variadic"}

    def parameters(values):
        return [(v.name, v.type_str, kinds[v.option], int(v.is_homogeneous)) for v in values]

    bodies = []
    if schema.has_function:
        for opset in sorted(set(schema.function_opset_versions)):
            body = schema.get_function_with_opset_version(opset)
            bodies.append((opset, body if isinstance(body, bytes) else body.SerializeToString()))
    return {
        "domain": schema.domain, "name": schema.name, "since": schema.since_version, "deprecated": int(schema.deprecated),
        "min_input": schema.min_input, "max_input": schema.max_input, "min_output": schema.min_output,
        "max_output": schema.max_output, "contextual_body": int(schema.has_context_dependent_function),
        "inputs": parameters(schema.inputs), "outputs": parameters(schema.outputs),
        "constraints": [(c.type_param_str, c.allowed_type_strs) for c in schema.type_constraints],
        "attributes": [(a.name, attribute_number(a.type), int(a.required),
                        a.default_value.SerializeToString() if a.default_value.name else b"") for a in schema.attributes.values()],
        "bodies": bodies,
    }


def attribute_number(kind):
    """AttributeProto.AttributeType's number; OpSchema.AttrType numbers its members differently from one package to the next."""
    import onnx
    return onnx.AttributeProto.AttributeType.Value(kind.name)


def default_of_text(name, kind, text):
    import onnx
    if kind == "INT":
        return onnx.helper.make_attribute(name, int(text)).SerializeToString()
    if kind == "FLOAT":
        return onnx.helper.make_attribute(name, float(text)).SerializeToString()
    return onnx.helper.make_attribute(name, text).SerializeToString()


def function_body(op, opset, text):
    """The FunctionProto of a body; its interface is the schema's."""
    import onnx.parser
    names = {key: ", ".join(parameter[0] for parameter in op[key]) for key in ("inputs", "outputs")}
    attributes = ", ".join(name for name, *_ in op["attributes"])
    attributes = f"<{attributes}>" if attributes else ""
    imports = f'"" : {opset}' + (f', "{op["domain"]}" : {op["since"]}' if op["domain"] else "")
    head = f'<domain: "{op["domain"] or "ai.onnx"}", opset_import: [{imports}]> {op["name"]} {attributes}'
    return onnx.parser.parse_function(f'{head} ({names["inputs"]}) => ({names["outputs"]}) {{ {text} }}').SerializeToString()


def contrib_operators(path):
    """contrib_schemas.txt: its head says what each line means."""
    import onnx
    operators = []
    lines = iter(open(path, encoding="utf-8"))
    for line in lines:
        words = line.split()
        if not words or words[0] == "#":
            continue
        head, rest = words[0], words[1:]
        if head == "op":
            op = {"domain": "" if rest[0] == "ai.onnx" else rest[0], "name": rest[1], "since": int(rest[2]), "deprecated": 0, "contextual_body": 0,
                  "inputs": [], "outputs": [], "constraints": [], "attributes": [], "bodies": []}
            operators.append(op)
        elif head in ("input", "output"):
            kind = next((word for word in rest[2:] if word in KINDS), "single")
            op[head + "s"].append((rest[0], rest[1], kind, int("mixed" not in rest[2:])))
        elif head == "type":
            op["constraints"].append((rest[0], rest[1:]))
        elif head == "attribute":
            default = default_of_text(rest[0], rest[1], rest[3]) if len(rest) > 3 and rest[2] == "=" else b""
            op["attributes"].append((rest[0], onnx.AttributeProto.AttributeType.Value(rest[1]), int("required" in rest[2:]), default))
        elif head == "body":
            text = "".join(iter(lambda: next(lines), "  end\n"))
            op["bodies"].append((int(rest[0]), function_body(op, int(rest[0]), text)))
        else:
            sys.exit(f"{path}: unknown line: {line}")
    for op in operators:
        for key, low, high in (("inputs", "min_input", "max_input"), ("outputs", "min_output", "max_output")):
            needed = [i + 1 for i, value in enumerate(op[key]) if value[2] == "single"]
            variadic = any(value[2] == "variadic" for value in op[key])
            op[low] = max(needed, default=0)
            op[high] = 2**31 - 1 if variadic else len(op[key])
    return operators


def main():
    out, contrib = sys.argv[1:3]
    if len(sys.argv) > 3 and sys.argv[3]:
        sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[3])))
    import onnx
    import onnx.defs

    operators = [operator_of_schema(schema) for schema in onnx.defs.get_all_schemas_with_history()]
    newest = {}
    for domain, version in ((op["domain"], op["since"]) for op in operators):
        newest[domain] = max(newest.get(domain, 0), version)
    newest[""] = max(newest[""], onnx.defs.onnx_opset_version())
    operators += contrib_operators(contrib)
    operators.sort(key=lambda op: (op["domain"], op["name"], op["since"]))

    records = [write_operator(op) for op in operators]
    w = Writer()
    w.number(len(records))
    w.number(len(newest))
    offset = len(w.bytes) + 4 * len(records) + sum(8 + len(domain) for domain in newest)
    for record in records:
        w.number(offset)
        offset += len(record)
    for domain, version in sorted(newest.items()):
        w.text(domain)
        w.number(version)
    for record in records:
        w.bytes += record
    with open(out, "wb") as file:
        file.write(w.bytes)


if __name__ == "__main__":
    main()
