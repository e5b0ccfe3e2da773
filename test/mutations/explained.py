# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differences between Sinter's verdict and the oracles' that are as they should be, by rule: what is seen (a predicate on the finding) and the
reason. No rule names a case or a model. What no rule explains is a defect, in Sinter or in the test."""
import dataclasses
import re
from typing import Callable


@dataclasses.dataclass
class Rule:
    reason: str
    holds: Callable


def code(*codes):
    return lambda one: any(f"[{each}]" in one.sinter for each in codes)


def said(oracle, word):
    return lambda one: one.answers.get(oracle, ("",))[0] == word


def both(*predicates):
    return lambda one: all(predicate(one) for predicate in predicates)


def sinter_says(pattern):
    return lambda one: re.search(pattern, one.sinter)


def says(oracle, pattern):
    return lambda one: re.search(pattern, one.answers.get(oracle, ("", ""))[1])


def is_empty(one):
    return any(0 in one.mutated.array(name).shape for name in one.mutated.operands())


REFUSED = [
    Rule("a size that only data decides needs a bound (--bound), since memory is planned when the model is compiled", code("E0308")),
    Rule("an operand that decides sizes or structure must be known when the model is compiled", code("E0301")),
    Rule("a symbolic dim needs bounds (--dim)", code("E0303")),
    Rule("the C ABI carries tensors: sequences, optionals and tensors of unknown rank cannot be inputs or outputs", code("E0306")),
    Rule("`sinter ops` does not list the operator or this form of it, and the diagnostic says so", code("E0202", "E0203")),
    Rule("a budget (docs/security.md)", code("E0505", "E0506", "E0507", "E0508")),
    Rule("what a quantization divides by must be a positive, finite number", code("E0211")),
    Rule("onnxruntime runs what the checker's strict shape inference finds wrong, and so does Sinter", said("checker", "no")),
    Rule("onnxruntime runs what ONNX's reference cannot compute: the text of the operator is with the reference", said("reference", "no")),
    Rule("a Constant has one value: onnxruntime takes the first of several", sinter_says("exactly one value attribute|attribute '.*' is of type")),
    Rule("an attribute has a value that the operator's text does not list; onnxruntime takes it for one of those, or for none",
         sinter_says(r"needs \w+=[\w|]+, where|is the element type -?\d+, which ONNX does not define")),
    Rule("the text asks for one number, and others read the first of several", sinter_says(r"needs \[\] or \[1\]")),
    Rule("the text asks for one number a class, and others read as many as they need", sinter_says(r"'weights?' has shape .* needs \[C\]")),
    Rule("what a graph output is declared to be is the interface of the generated code; onnxruntime warns", sinter_says("is declared as")),
]  # fmt: skip

ACCEPTED = [
    Rule("a dim of size 0 is a size like any other: results are empty, or what a reduction of nothing is. Others refuse some of these",
         both(said("checker", "yes"), is_empty)),
    Rule("trailing operands that are optional may be left out of calls; the reference evaluator wants all that a function has",
         both(said("checker", "yes"), says("reference", "Mismatch lengths"))),
    Rule("a type that the schema allows, for which the reference and onnxruntime have no code",
         both(said("checker", "yes"), lambda one: one.kind == "types" and "with all" in one.words)),
    Rule("a float attribute may be any float, infinities and NaN too", both(said("checker", "yes"), lambda one: one.words.endswith(": nan"))),
]  # fmt: skip

RULES = {"refused": REFUSED, "accepted": ACCEPTED}


def rule(one):
    """The reason that explains a finding, or nothing."""
    return next((each.reason for each in RULES.get(one.what, []) if each.holds(one)), "")
