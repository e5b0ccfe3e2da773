# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The slow classes of transformers 4 themselves, where slow_equal.py --transformers asks for them: that slow_rules.py says what they do."""
import json
import os

os.environ["TRANSFORMERS_VERBOSITY"] = "error"
import transformers  # noqa: E402


class OfTransformers:
    def __init__(self, folder):
        with open(f"{folder}/tokenizer_config.json", encoding="utf-8") as config:
            self.own = getattr(transformers, json.load(config)["tokenizer_class"]).from_pretrained(folder)

    def encode(self, text):
        return self.own.encode(text)

    def decode(self, ids):
        return self.own.decode(ids, skip_special_tokens=True)
