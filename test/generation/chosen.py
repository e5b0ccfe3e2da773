# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ side of these tests from Python: the structs of sampler_types.h, and calls of choose.cpp."""
import ctypes as c

import numpy as np


class Ids(c.Structure):
    _fields_ = [("ids", c.POINTER(c.c_int32)), ("count", c.c_int32)]


class Sequences(c.Structure):
    _fields_ = [("ids", c.POINTER(c.c_int32)), ("ends", c.POINTER(c.c_int32)), ("count", c.c_int32)]


INT, FLOAT = c.c_int32, c.c_float


class Sampler(c.Structure):
    _fields_ = [
        ("do_sample", INT), ("sequence_bias", Sequences), ("sequence_bias_values", c.POINTER(FLOAT)), ("diversity_penalty", FLOAT),
        ("encoder_repetition_penalty", c.c_double), ("repetition_penalty", FLOAT), ("presence_penalty", FLOAT), ("frequency_penalty", FLOAT),
        ("no_repeat_ngram_size", INT), ("encoder_no_repeat_ngram_size", INT), ("bad_words", Sequences), ("min_length", INT), ("min_new_tokens", INT), ("eos", Ids),
        ("forced_bos", Ids), ("forced_eos", Ids), ("max_length", INT), ("remove_invalid_values", INT), ("exponential_decay_start", INT),
        ("exponential_decay_factor", c.c_double), ("suppress", Ids), ("begin_suppress", Ids), ("temperature", FLOAT), ("top_k", INT), ("top_p", FLOAT),
        ("min_p", FLOAT), ("typical_p", FLOAT), ("epsilon_cutoff", FLOAT), ("eta_cutoff", FLOAT), ("min_tokens_to_keep", INT),
        ("renormalize_logits", INT), ("seed", c.c_uint64)]


class Step(c.Structure):
    _fields_ = [("tokens", c.POINTER(c.c_int32)), ("token_count", INT), ("prompt_count", INT), ("encoder", Ids),
                ("allowed", c.POINTER(c.c_uint32)), ("sequence", c.c_uint32), ("beside", Ids)]


class Beams(c.Structure):
    _fields_ = [("num_beams", INT), ("max_length", INT), ("length_penalty", FLOAT), ("early_stopping", INT), ("length_base", INT)]


def array(values, of=c.c_int32):
    return (of * max(len(values), 1))(*values)


def ids(values):
    return Ids(array(values), len(values))


def sequences(lists):
    ends = np.cumsum([len(one) for one in lists]).tolist()
    return Sequences(array([i for one in lists for i in one]), array(ends), len(lists))


def sampler(settings):
    """A Sampler by transformers' names; those of lists as there."""
    s = Sampler()
    for name, value in settings.items():
        if name == "sequence_bias":
            s.sequence_bias, s.sequence_bias_values = sequences([one for one, _ in value]), array([bias for _, bias in value], FLOAT)
        elif name == "bad_words_ids":
            s.bad_words = sequences(value)
        elif name == "exponential_decay_length_penalty":
            s.exponential_decay_start, s.exponential_decay_factor = value
        elif name in ("eos_token_id", "suppress_tokens", "begin_suppress_tokens", "forced_bos_token_id", "forced_eos_token_id"):
            value = value if isinstance(value, list) else [value]
            setattr(s, name.removesuffix("_token_id").removesuffix("_tokens"), ids(value))
        else:
            setattr(s, name, value)
    return s


def step(text, prompt, encoder=(), allowed=None, sequence=0):
    return Step(array(text), len(text), prompt, ids(encoder), allowed, sequence)


class Library:
    def __init__(self, path):
        self.call = c.CDLL(path)
        self.call.choose_scratch_bytes.restype = c.c_size_t

    def logits(self, name, s, at, logits):
        """(what the function returns, the logits it leaves)"""
        logits = np.array(logits, np.float32)
        size = self.call.choose_scratch_bytes(len(logits))
        scratch = np.zeros(size // 8 + 1, np.uint64)
        result = getattr(self.call, name)(c.byref(s), c.byref(at), logits.ctypes.data_as(c.c_void_p), len(logits), scratch.ctypes.data_as(c.c_void_p),
                                          c.c_size_t(size))
        return result, logits

    def drawn(self, scores, beams, count, seed, position):
        """What is drawn of all beams' continuations at a place, as places in the scores."""
        rows, vocab = np.array(scores, np.float32), len(scores) // beams
        found = np.zeros((count, 3), np.int32)
        self.call.beam_draw(rows.ctypes.data_as(c.c_void_p), array([0.0] * beams, FLOAT), beams, vocab, array([0] * beams, c.c_uint64),
                            found.ctypes.data_as(c.c_void_p), count, c.c_uint64(seed), position)
        # Where too few are possible, transformers too is given what is not; a place that was drawn would be possible there.
        impossible = iter(np.flatnonzero(np.isneginf(scores)))
        is_drawn = np.isfinite(found[:, 0].copy().view(np.float32))
        return [int(beam) * vocab + int(id) if ok else int(next(impossible)) for ok, (_, beam, id) in zip(is_drawn, found)]

    def beam_search(self, beams, s, prompt, vocab, logits_of):
        """Texts that ended, with their scores, the best first. logits_of(texts) gives a row for each of these."""
        self.call.beam_bytes.restype = c.c_size_t
        self.call.beam_tokens.restype = self.call.beam_parents.restype = c.POINTER(INT)
        memory = np.zeros(self.call.beam_bytes(c.byref(beams), s.eos.count) // 8 + 1, np.uint64)
        size = self.call.choose_scratch_bytes(vocab)
        scratch = np.zeros(size // 8 + 1, np.uint64)
        status = self.call.beam_begin(c.byref(beams), c.byref(s), vocab, memory.ctypes.data_as(c.c_void_p), array(prompt), len(prompt))
        assert status == 0, status
        texts = [list(prompt)]
        while status == 0:
            rows = np.ascontiguousarray(logits_of(texts), np.float32)
            status = self.call.beam_step(rows.ctypes.data_as(c.c_void_p), scratch.ctypes.data_as(c.c_void_p), c.c_size_t(size))
            if status:
                break
            new = [self.call.beam_tokens(i)[: len(texts[0]) + 1] for i in range(beams.num_beams)]
            parents = self.call.beam_parents()[: beams.num_beams]
            assert [one[:-1] for one in new] == [texts[parent] for parent in parents], "the table of caches is not that of the texts"
            texts = new
        assert status == 1, status
        found = []
        for i in range(beams.num_beams):
            tokens, score = c.POINTER(INT)(), FLOAT()
            if length := self.call.beam_finished(i, c.byref(tokens), c.byref(score)):
                found.append((tokens[:length], score.value))
        return found
