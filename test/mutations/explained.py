# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differences between Sinter's verdict and the oracles' that are as they should be, by rule: what is seen (predicates on the finding) and the
cause. No rule names a case or a model. A crash, an internal error and what sanitizers find are never explained. What no rule explains is a
defect, in Sinter or in the test."""
import dataclasses
import re
from typing import Callable

INT32 = 1 << 31


@dataclasses.dataclass
class Rule:
    reason: str
    holds: Callable


def code(*codes):
    return lambda one: any(f"[{each}]" in one.sinter for each in codes)


def said(oracle, *words):
    return lambda one: one.answers.get(oracle, ("",))[0] in words


def both(*predicates):
    return lambda one: all(predicate(one) for predicate in predicates)


def either(*predicates):
    return lambda one: any(predicate(one) for predicate in predicates)


def kind(*kinds):
    return lambda one: one.kind in kinds


def words(pattern):
    return lambda one: re.search(pattern, one.words)


def sinter_says(pattern):
    return lambda one: re.search(pattern, one.sinter)


def says(oracle, pattern):
    return lambda one: re.search(pattern, one.answers.get(oracle, ("", ""))[1])


def any_says(pattern):
    return lambda one: any(re.search(pattern, why) for _, why in one.answers.values())


def is_empty(one):
    return any(0 in one.mutated.array(name).shape for name in one.mutated.operands())


def has_the_same_numbers(one):
    """Some operand has other dims of size 1 than before, and nothing else has changed."""

    def without_ones(subject):
        return [[size for size in subject.array(name).shape if size != 1] for name in subject.operands()]

    return one.kind == "ranks" and without_ones(one.base) == without_ones(one.mutated)


def has_body(one):
    return any(attribute.HasField("g") for node in one.mutated.graph.node for attribute in node.attribute)


def has_unread_nodes(one):
    """Nodes in bodies of which nobody reads a result."""

    def unread(graph):
        read = {name for node in graph.node for name in node.input} | {value.name for value in graph.output}
        bodies = [attribute.g for node in graph.node for attribute in node.attribute if attribute.HasField("g")]
        return [node for node in graph.node if not read & set(node.output)] + [node for body in bodies for node in unread(body)]

    return bool(unread(one.mutated.graph))


def names_own_attribute(one):
    """Sinter's words are about the attribute that was changed, whose values the operator's text lists."""
    name = one.words.partition(":")[0].split()[-1]
    return one.kind == "attributes" and re.search(rf"(needs {name}=[\w|]+,|{name} = '|^{name} '|{name}' is the element type)", one.sinter)


def is_cut_to_32_bits(one):
    number = one.words.rpartition(" ")[2]
    return one.kind == "attributes" and re.fullmatch(r"-?\d+", number) and not -INT32 <= int(number) < INT32


def has_an_axis_twice(one):
    lists = [one.mutated.array(name).flatten().tolist() for name in one.mutated.operands() if one.mutated.array(name).dtype.kind == "i"]
    for node in one.mutated.graph.node:
        lists += [list(attribute.ints) for attribute in node.attribute if attribute.name == "axes"]
    rank = max((one.mutated.array(name).ndim for name in one.mutated.operands()), default=0)
    return any(len({axis % rank for axis in axes}) < len(axes) for axes in lists if rank and axes)


REFUSED = [
    Rule("what a graph output is declared to be is the interface of the generated code; onnxruntime warns",
         both(kind("declared"), either(sinter_says("is declared as|cannot take a shape|is smaller than what is unpooled"), code("E0301", "E0308")))),
    Rule("the checker's strict inference refuses it too, by ONNX's text; onnxruntime does not look", said("checker", "no")),
    Rule("a size that only data decides needs a bound (--bound), since memory is planned when the model is compiled", code("E0308")),
    Rule("an operand that decides sizes or structure must be known when the model is compiled, and is an input here",
         both(code("E0301"), either(lambda one: one.form != "constants", sinter_says("that a sequence is split from")))),
    Rule("a function knows its own values only; onnxruntime, which expands functions, finds others behind them",
         both(words("^function of"), code("E0106"))),
    Rule("a symbolic dim needs bounds (--dim)", both(code("E0303"), lambda one: one.form == "symbolic")),
    Rule("the C ABI carries tensors, sequences of them and optionals: maps, nested sequences and tensors of unknown rank cannot be inputs or outputs", code("E0306")),
    Rule("`sinter ops` does not list the operator", code("E0202")),
    Rule("the diagnostic says which form of the operator is not supported", both(code("E0203"), lambda one: not names_own_attribute(one))),
    Rule("a budget (docs/security.md)", code("E0505", "E0506", "E0507", "E0508")),
    Rule("what a quantization divides by must be a positive, finite number, one for each part", code("E0211")),
    Rule("an output of another type than the graph declares", both(kind("presence"), code("E0208"), sinter_says("is declared as"))),
    Rule("the attribute has a value that the operator's text does not list; onnxruntime takes it for one of those", names_own_attribute),
    Rule("onnxruntime keeps 32 bits of an attribute", both(is_cut_to_32_bits, sinter_says(r"needs axis@|axis -?\d+ is outside|a direction is neither"))),
    Rule("the text says how many dims an operand has; onnxruntime reads the same numbers with dims of 1 more or fewer",
         both(has_the_same_numbers, sinter_says(r"has shape \[[\d,]*\]; \w+ needs \["))),
    Rule("the text asks for one number; onnxruntime reads the first of several, or what lies behind none", sinter_says(r"needs \[\] or \[1\]")),
    Rule("the text asks for one number a class; others read as many as there are targets", sinter_says(r"'weights?' has shape .* needs \[C\]")),
    Rule("the text asks for one number a channel; GroupNormalization is a function to others, in which one number broadcasts",
         sinter_says(r"'(scale|bias)' has shape \[1?\]; GroupNormalization needs \[")),
    Rule("labels fit the scores; onnxruntime compares them where dims are numbers only",
         both(lambda one: one.form == "symbolic", sinter_says("'(labels|target)' has shape"))),
    Rule("the text: the first batch_dims dims of both are equal; onnxruntime does not compare them", sinter_says(r"GatherND needs \[B:")),
    Rule("the text: B broadcasts to the normalized dims; onnxruntime does not look at a B without elements",
         both(is_empty, sinter_says(r"'B' has shape .* LayerNormalization needs what broadcasts"))),
    Rule("parts of a Concat are equal but for the axis; onnxruntime leaves parts without elements out",
         both(is_empty, sinter_says("'inputs' .* Concat needs"))),
    Rule("'split' has a size for each output; onnxruntime takes an empty one for none", both(is_empty, sinter_says(r"'split' has (0 sizes|shape \[0\])"))),
    Rule("Split: either sizes or num_outputs, which is the number of outputs; onnxruntime takes what the node has for numbers that are none",
         sinter_says(r"num_outputs is -?\d+, the node has|Split needs has\(split\)\+has\(num_outputs\)<=1")),
    Rule("labels are from 0 to C - 1, or ignore_index; others count negative ones from the end, or read in front of the scores",
         both(words("^(NegativeLogLikelihoodLoss|SoftmaxCrossEntropyLoss) operand 1"), sinter_says("an index or a size in a constant is out of range"))),
    Rule("the place of a least or greatest element of none: onnxruntime leaves a 0", sinter_says(r"Arg(Min|Max) needs D>=")),
    Rule("the text says a list; onnxruntime reads its numbers in order, whatever their rank",
         both(kind("ranks"), sinter_says(r"has shape \[(\d+,\d+)?\]; \w+ needs (\[\] or )?\[[_A-Z]\]"))),
    Rule("the text: q_num_heads and kv_num_heads are for operands of rank 3; onnxruntime does not look at them beside others",
         sinter_says(r"Attention needs (A=q_num_heads|G=kv_num_heads)")),
    Rule("a number of samples is not negative; onnxruntime makes an empty spectrum of one", sinter_says(r"MelWeightMatrix needs value\(dft_length\)>=0")),
    Rule("a pooled map has places; onnxruntime makes an empty one", sinter_says(r"RoiAlign needs output_(height|width)>=1")),
    Rule("a classifier has coefficients for each feature, and an intercept for each score; onnxruntime reads those that it needs",
         sinter_says("coefficients a score, but the input has")),
    Rule("a list with an entry for each axis; onnxruntime reads those that are there", sinter_says("does not have one (entry|size) per axis")),
    Rule("a list with an entry for each spatial dim; onnxruntime takes an empty one for none, and reads the first of many",
         sinter_says(r"has \d+ elements; \w+ needs \[(2\*)?#D")),
    Rule("classical operators: lists with an entry for each feature or target; onnxruntime reads those that it needs",
         sinter_says(r"has \d+ elements; ai\.onnx\.ml\.\w+ needs \[|Linear(Classifier|Regressor) needs #coefficients|coefficients for \d+ scores|labels for one score")),
    Rule("a Constant has one value by the text; onnxruntime takes the first it knows", both(words("^Constant value"), code("E0206", "E0207"))),
    Rule("a body is checked also where the data never runs it", both(has_body, lambda one: one.case.startswith("net_"), code("E0302", "E0208"))),
    Rule("a skip is as long as the batch, or one for all; onnxruntime takes other lengths round and round",
         sinter_says(r"Skip(Simplified)?LayerNormalization needs \[N\|1,S,C\]")),
    Rule("FeatureVectorizer: each input is as wide as inputdimensions says, and a matrix; onnxruntime cuts and fills",
         sinter_says("'inputdimensions' says|FeatureVectorizer needs")),
    Rule("an output has at least one place; onnxruntime does not look at a negative output_shape", sinter_says("ConvTranspose needs output_shape>=1")),
    Rule("half of an odd number is none; onnxruntime rounds it down", sinter_says(r"RotaryEmbedding needs 2\*R=")),
    Rule("a window that fits nowhere has no result; onnxruntime rounds a negative count of places towards zero", sinter_says("the window covers")),
    Rule("axes are within the rank, each once; onnxruntime's kernel of MeanVarianceNormalization does not look",
         sinter_says("MeanVarianceNormalization needs axes@X")),
    Rule("sizes are not negative; to others CenterCropPad is a function, whose Slice clamps them", sinter_says(r"CenterCropPad|size -\d+ of dim")),
]  # fmt: skip

# What numpy and onnxruntime say of tensors without elements.
OF_NOTHING = (r"zero-size array|array of size 0|need at least one array|division by zero|ReshapeHelper|pool_attributes\.h:124|it died|must be a positive"
              r"|at least 1, got 0|\(oC\) must be positive|gather_elements\.cc|zero scan-input length|dimension has size 0|Invalid position of 0|must be in \[0, 0\)|inclusive range \[0,-1\]|axis \d+ with size 0|zero effective input extent|OrtValueTensorSlicer|=0\) must be positive|output dimension is <= 0|Invalid input shape|cannot broadcast on dim|Invalid num_outputs value|must be non-empty|parameter out of computation range|attempt to get arg(max|min) of an empty")  # fmt: skip

ACCEPTED = [
    Rule("a dim of size 0 is a size like any other: results are empty, or what a reduction of nothing is. Others fail on the way",
         both(either(is_empty, words(r" pads: |AffineGrid operand 1: last element 0")), said("checker", "yes"), any_says(OF_NOTHING))),
    Rule("a map may come out without places: nothing is made then",
         both(said("checker", "yes"), says("onnxruntime", "output dimension is <= 0|Invalid input shape"))),
    Rule("the ellipses of Einsum broadcast, as numpy's do", both(words("^Einsum"), says("checker", "Ellipsis"))),
    Rule("attributes that the schema allows to leave out, or to be any number; onnxruntime wants others",
         both(kind("attributes"), said("checker", "yes"), says("onnxruntime", r"clip_ > 0|intercepts must not be|Attribute saturate is only used"))),
    Rule("trailing operands that are optional may be left out of calls; the reference evaluator wants all that a function has",
         both(kind("functions"), words("last argument not given|no arguments"), said("checker", "yes"), says("reference", "Mismatch lengths"))),
    Rule("results that are optional may be left out of calls; inference of calls wants all that a function has",
         both(kind("functions"), words("one result less"), says("onnxruntime", "output index 1 is out of range"))),
    Rule("a type that the schema allows, for which the reference and onnxruntime have no code, or a function's constants another type",
         both(kind("types"), words("with all of its type"), said("checker", "yes", "unknown"))),
    Rule("a type that the schema allows; others run the operator as a function, in which it meets a constant of another type",
         both(kind("types"), said("checker", "yes", "unknown"), says("onnxruntime", r"bound to different types \(.*in node \(\)"))),
    Rule("only the reference says no, because its own code fails: its method lacks an attribute or an optional operand, or its mask has two dims",
         both(said("checker", "yes", "unknown"), said("onnxruntime", "unknown"),
              says("reference", r"^TypeError: (Issues with types|One of the results returned)|not enough values to unpack \(expected 2, got 1\)|array is 0-dimensional|^AssertionError: "))),
    Rule("a float attribute may be any float; numpy takes seeds from 0 to 2**32 - 1, and Python makes no integer of NaN",
         both(kind("attributes"), says("reference", "Seed must be between|cannot convert float NaN to integer"))),
    Rule("output_padding is less than the stride or the dilation by the text; onnxruntime looks at the stride alone",
         both(said("checker", "yes"), says("onnxruntime", "may be too large for stride"))),
    Rule("an axis that is named twice is meant once, as onnxruntime has it where it knows the version; the reference refuses or drops a dim twice",
         both(has_an_axis_twice, said("checker", "yes"), said("onnxruntime", "unknown"),
              says("reference", "duplicate value in 'axis'|is out of bounds for array of dimension"))),
    Rule("Compress looks at as many conditions as there are entries, as onnxruntime has it where it knows the version",
         both(is_empty, words("^Compress"), says("onnxruntime", "Unsupp|Could not find"), says("reference", "non-empty take from an empty"))),
    Rule("a result that only training makes, and that nobody reads, need not be made",
         both(kind("presence"), words("^BatchNormalization result 1: one more$"))),
    Rule("Split of opset 18 without sizes and number of parts: onnxruntime runs it in graphs that exporters write, and infers shapes strictly in functions",
         both(words("(^| of )Split[: ]"), says("onnxruntime", "Neither 'split' input nor 'num_outputs' attribute has been given"))),
    Rule("Split: the last of num_outputs parts may be empty by the text", both(words("^Split "), says("onnxruntime", "Invalid num_outputs value"))),
    Rule("STFT without window and frame_length takes the whole signal by the text", both(words("^STFT operand [23]: "), says("onnxruntime", "OutputMLValue|op_kernel"))),
    Rule("one number may be a tensor of rank 1, which onnxruntime takes at run time as well",
         both(kind("ranks"), says("onnxruntime", "should be scalars|must be a scalar|should have same shape size"))),
    Rule("a branch that a constant condition never takes is not looked at",
         both(has_body, any_says("Graph attribute inferencing failed|ShapeInferenceError"), lambda one: one.case.startswith("net_"))),
    Rule("what a bad index would read may be known whatever the index, if all elements are alike: then nothing is read",
         both(says("onnxruntime", r"out of data bounds|gather_elements\.cc|index is out of range"), lambda one: one.case.startswith("net_"))),
    Rule("what nobody reads is not computed, in bodies neither, and so finds no fault in its data",
         both(has_unread_nodes, says("onnxruntime", "while running (If|Loop|Scan) node"))),
    Rule("an integer divided by 0 is 0, as everywhere in generated code; onnxruntime refuses such constants", says("onnxruntime", "Integer division by zero")),
    Rule("lengths of sequences without steps: nobody reads them", says("onnxruntime", r"Invalid value/s in sequence_lens\. .*seq_length=0")),
    Rule("layout 1, which the text has; onnxruntime has none of it", both(words(" layout: 1"), says("onnxruntime", "Batchwise recurrent operations"))),
    Rule("LRN: any size by the text; onnxruntime has odd ones", both(words("^LRN size"), says("onnxruntime", r"size_ % 2 == 1"))),
    Rule("antialias is about linear and cubic by the text, and says nothing of nearest", words("^Resize antialias: 1")),
    Rule("RNN's default names two functions in one direction, too: more than are needed is no fault",
         both(words("^RNN activations: one longer"), says("onnxruntime", "activations_.size"))),
    Rule("a map of size 0 may be asked for", both(words("^Resize operand [23]: last element 0"), says("onnxruntime", "Scale value should be greater than 0"))),
    Rule("pools of any number of spatial dims; onnxruntime has one to three", says("onnxruntime", "Unsupported pooling size")),
    Rule("frequencies above half of the sample rate are in no spectrum: their weights are left out; others index behind it",
         words("^MelWeightMatrix operand [234]: ")),
    Rule("SplitToSequence: keepdims counts only without 'split' by the text", both(words("^SplitToSequence keepdims: 0"), said("checker", "yes"))),
    Rule("strides beyond any map leave one place; onnxruntime's sums overflow", both(words(" strides: "), says("onnxruntime", "Integer overflow"))),
    Rule("Squeeze without axes takes all dims of 1 by the text", both(words("^Squeeze operand 1: absent"), says("onnxruntime", "squeeze"))),
    Rule("declared shapes of an opset that onnxruntime lacks; what is declared of a value inside is not looked at",
         both(kind("declared"), said("onnxruntime", "unknown"), lambda one: one.case.startswith("net_"))),
    Rule("zero points are optional by the schema; onnxruntime's inference wants both or none", both(kind("presence"), words("^QLinear(Add|Mul|AveragePool) operand"))),
    Rule("what onnxruntime must know of a body beforehand: shapes of what it makes",
         both(has_body, says("onnxruntime", "must have the shape set|has unknown shape|OutputIterator"))),
    Rule("PRelu before opset 7 has a slope for each channel; numpy broadcasts it from behind",
         both(words("^PRelu"), says("onnxruntime", "Could not find an implementation"), says("reference", "could not be broadcast"))),
    Rule("hidden_size follows from R", both(words("hidden_size: left out"), said("checker", "yes"))),
    Rule("LRN: the text has any number of spatial dims, others two", says("reference", "LRN only applies on 4D tensors")),
    Rule("pads may be wider than a pool's window by the text; onnxruntime refuses them",
         both(said("checker", "yes"), says("onnxruntime", r"pool_attributes\.h:88"))),
    Rule("QLinearMatMul: the text has a scale for each row of a matrix; others take one, or fail to broadcast theirs",
         both(said("checker", "yes"), says("onnxruntime", r"quantize_linear_matmul\.cc:(78|82|89|93)"))),
    Rule("MatMulInteger: the text has a zero point for each row of A; onnxruntime one",
         both(words("^MatMulInteger operand 2"), said("checker", "yes"), says("onnxruntime", r"matmul_integer\.cc:63"))),
]  # fmt: skip

RULES = {"refused": REFUSED, "accepted": ACCEPTED}


def rule(one):
    """The reason that explains a finding, or nothing."""
    return next((each.reason for each in RULES.get(one.what, []) if each.holds(one)), "")
