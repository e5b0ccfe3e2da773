#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does Sinter take what is valid and refuse what is not? Models derived from ONNX's conformance cases (subject.py) and random nets (nets.py) by
mutation (kinds.py) are shown to Sinter
(compiler.py) and to others (oracles.py). Findings are
  broken     Sinter crashes, hangs, ends with an internal error
  accepted   Sinter accepts what neither onnxruntime nor the reference evaluator runs, and the generated code does not end with a status
  refused    Sinter refuses what onnxruntime runs
  sanitized  what Sinter accepts reads or writes where it must not (--sanitize: so many of the accepted ones are built and run)
and must be explained by a rule of explained.py. By default a sample, the same each time; --all takes every mutation, --all --each 1 every
kind of mutation of each operand and attribute of an operator once."""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import multiprocessing
import os
import random
import re
import sys

import explained
import nets
from compiler import Compiler
from kinds import KINDS, ONLY_SINTER
from oracles import ORACLES, Oracles
from subject import Subject, forms, read

CHUNK = 400  # mutations that go to the compiler at a time


@dataclasses.dataclass
class Mutation:
    """And what is found with it."""

    case: str
    form: str
    kind: str
    words: str
    base: Subject
    mutated: Subject
    what: str = ""  # broken, accepted, refused, sanitized
    sinter: str = ""
    answers: dict = dataclasses.field(default_factory=dict)
    rule: str = ""
    model: str = ""

    def told(self):
        return {key: getattr(self, key) for key in ("what", "case", "form", "kind", "words", "sinter", "answers", "rule", "model")}


def mutations(case, wanted):
    for form, base in forms(case):
        if form in wanted:
            first = base.graph.node[0].op_type if base.graph.node else "nothing"
            yield Mutation(case.name, form, "form", f"{first}: as it is", base, base)
            for kind in KINDS:
                for words, mutated in kind(base):
                    yield Mutation(case.name, form, kind.__name__, words, base, mutated)


class Share:
    """The cases that one process takes."""

    def __init__(self, given, number, cases):
        self.given, self.number = given, number
        self.choose = random.Random(given.seed + number)
        self.choose.shuffle(cases)
        self.cases = cases[: given.most_cases or None]
        self.compiler = Compiler(given.sinter_batch, given.target, given.cxx)
        self.oracles = Oracles(os.path.join(given.cache, f"oracles-{number}.sqlite"))
        self.findings, self.of_base = [], {}
        self.count = self.accepted = self.built = self.sanitized = 0
        self.log = open(os.path.join(given.work, f"findings-{number}.jsonl"), "w", encoding="utf-8")

    def chosen(self):
        seen = collections.Counter()
        for folder, name in self.cases:
            case = read(folder, name) if folder else nets.net(int(name))
            if case is None:
                continue
            every = list(mutations(case, self.given.forms))
            if not self.given.all:
                every = self.choose.sample(every, min(self.given.each_case, len(every)))
            for one in every:
                seen[one.form, one.words] += 1
                if not self.given.each or seen[one.form, one.words] <= self.given.each:
                    yield one

    def run(self):
        chunk = []
        for one in self.chosen():
            chunk.append(one)
            if len(chunk) == CHUNK:
                self.judge(chunk)
                chunk = []
        self.judge(chunk)
        self.oracles.stop()
        self.compiler.close()
        return self.counts(), [one.told() for one in self.findings]

    def counts(self):
        return {"accepted": self.accepted, "refused": self.count - self.accepted - sum(one.what == "broken" for one in self.findings),
                "candidates built and run": self.built, "run under sanitizers": self.sanitized}  # fmt: skip

    def judge(self, chunk):
        self.count += len(chunk)
        accepted, candidates = [], []
        for one, verdict in zip(chunk, self.compiler.verdicts([one.mutated for one in chunk])):
            one.sinter = verdict.why
            self.accepted += verdict.word == "accepted"
            if verdict.word == "broken":
                self.found(one, "broken")
            elif one.kind in ONLY_SINTER:
                continue
            elif verdict.word == "accepted":
                accepted.append(one)
                if self.is_refused_by_others(one):
                    candidates.append(one)
            elif self.answer(one, "onnxruntime")[0] == "yes" and (one.kind == "form" or self.takes_base(one)):
                for oracle in ORACLES:
                    self.answer(one, oracle)
                self.found(one, "refused")
        self.run_candidates(candidates)
        if self.given.sanitize:
            self.sanitize(self.choose.sample(accepted, min(len(accepted), self.given.sanitize)))

    def run_candidates(self, candidates):
        """What the interpreter runs to its end, the generated code does too. Of the rest its status counts."""
        unclear = []
        for one, verdict in zip(candidates, self.compiler.verdicts([one.mutated for one in candidates], "interpreted")):
            if verdict.run == "ran":
                one.sinter = "ran"
                self.found(one, "accepted")
            else:
                unclear.append(one)
        self.built += len(unclear)
        how = "sanitized" if self.given.sanitize else "built"
        for one, verdict in zip(unclear, self.compiler.verdicts([one.mutated for one in unclear], how)):
            if verdict.problem:
                one.sinter = verdict.problem
                self.found(one, "sanitized")
            elif verdict.run not in ("stopped", "too much"):
                one.sinter = f"{verdict.run}, as generated code"
                self.found(one, "accepted")

    def is_refused_by_others(self, one):
        """Whether nobody runs it, and somebody says no. The checker's yes counts for little: it does not look at most of what must fit. Who did
        not come to an end says nothing, and might have said yes."""
        if any(self.answer(one, oracle)[0] in ("yes", "late") for oracle in ("onnxruntime", "reference")):
            return False
        return any(self.answer(one, oracle)[0] == "no" for oracle in ORACLES)

    def sanitize(self, chosen):
        for one, verdict in zip(chosen, self.compiler.verdicts([one.mutated for one in chosen], "sanitized")):
            self.sanitized += bool(verdict.run)
            if verdict.problem:
                one.sinter = verdict.problem
                self.found(one, "sanitized")

    def takes_base(self, one):
        """Whether Sinter takes what the mutation starts from. Else its no to the mutation says nothing new."""
        key = one.case, one.form
        if key not in self.of_base:
            self.of_base[key] = self.compiler.verdicts([one.base])[0].word == "accepted"
        return self.of_base[key]

    def answer(self, one, oracle):
        """An oracle on a mutation. Who refuses what the mutation starts from cannot tell what is wrong with it."""
        if oracle not in one.answers:
            answer = self.oracles.ask(oracle, one.mutated)
            if answer[0] == "no" and one.kind != "form" and self.oracles.ask(oracle, one.base)[0] != "yes":
                answer = ("unknown", answer[1])
            one.answers[oracle] = answer
        return one.answers[oracle]

    def found(self, one, what):
        one.what = what
        one.rule = explained.rule(one)
        if not one.rule:
            name = "".join(c if c.isalnum() or c in "+-" else "_" for c in f"{one.case}-{one.form}-{one.words}")
            one.model = os.path.join(self.given.work, "models", name[:200] + ".onnx")
            with open(one.model, "wb") as file:
                file.write(one.mutated.model.SerializeToString())
        self.findings.append(one)
        print(json.dumps(one.told()), file=self.log, flush=True)


def shares(given):
    """Cases by operator, so that one share sees all mutations of an operator. Nets by their seeds."""
    result = [[] for _ in range(given.jobs)]
    for seed in range(given.net_seed, given.net_seed + given.nets):
        result[seed % given.jobs].append(("", str(seed)))
    with open(os.path.join(given.cases, "cases.tsv"), encoding="utf-8") as file:
        for line in file:
            kind, name = line.split("\t")[:2]
            if "_expanded" not in name and kind != "light" and re.search(given.filter, f"{kind}/{name}"):
                words = name.split("_")
                result[sum(words[min(1, len(words) - 1)].encode()) % given.jobs].append((os.path.join(given.cases, kind), name))
    return result


def in_child(given, number, cases):
    """A process of its own, that may have children; daemons of a pool may not."""
    context = multiprocessing.get_context("spawn")
    receive, send = context.Pipe(False)
    child = context.Process(target=run_share, args=(send, given, number, cases))
    child.start()
    send.close()
    try:
        return receive.recv()
    finally:
        child.join()


def run_share(send, given, number, cases):
    send.send(Share(given, number, cases).run())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sinter-batch", "cases", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--cache", help="folder of the oracles' answers (default: WORK)")
    parser.add_argument("--target", default="x86-64-v3")
    parser.add_argument("--filter", default="", help="a regular expression for KIND/NAME of cases")
    parser.add_argument("--nets", type=int, default=0, help="so many random nets besides")
    parser.add_argument("--net-seed", type=int, default=1, help="of the first net; the others follow")
    parser.add_argument("--forms", type=lambda text: text.split(","), default=["inputs", "constants", "symbolic"], help="of cases (subject.py)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most-cases", type=int, default=0, help="so many cases of each job (default: all)")
    parser.add_argument("--each-case", type=int, default=6, help="mutations that a sample takes of a case")
    parser.add_argument("--all", action="store_true", help="every mutation")
    parser.add_argument("--each", type=int, default=0, help="with --all: so many of each form, operator and mutation")
    parser.add_argument("--sanitize", type=int, default=0, help=f"so many of {CHUNK} mutations are built and run under sanitizers")
    parser.add_argument("--cxx", default="clang++-19", help="a compiler with sanitizers")
    parser.add_argument("--jobs", type=int, default=2, help="other numbers take other samples")
    given = parser.parse_args()
    given.cache = given.cache or given.work
    os.makedirs(os.path.join(given.work, "models"), exist_ok=True)
    os.makedirs(given.cache, exist_ok=True)
    return given


def main():
    given = arguments()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        done = list(pool.map(lambda share: in_child(given, *share), enumerate(shares(given))))
    findings = [finding for _, some in done for finding in some]
    unexplained = [finding for finding in findings if not finding["rule"]]
    for finding in unexplained[:100]:
        print(f"{finding['what']}: {finding['case']} ({finding['form']}), {finding['words']}\n  {finding['model']}\n  sinter: {finding['sinter']}")
        for oracle, (answer, why) in finding["answers"].items():
            print(f"  {oracle}: {answer} {why}")
    for rule, number in collections.Counter(finding["rule"] for finding in findings if finding["rule"]).most_common():
        print(f"{number:6} explained: {rule}")
    counts = sum((collections.Counter(some) for some, _ in done), collections.Counter())
    print(f"{counts['accepted'] + counts['refused'] + sum(one['what'] == 'broken' for one in findings)} mutations, seed {given.seed}: "
          + ", ".join(f"{number} {what}" for what, number in counts.items()))  # fmt: skip
    print(f"{len(findings)} findings, {len(unexplained)} of them without an explanation")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
