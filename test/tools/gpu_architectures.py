#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu_architectures.py NAME OUT.onnx: well-known architectures with random weights, as PyTorch has them, and their ONNX exports: what test_gpu.py measures
and gpu_peers.py runs beside it. Needs torch, transformers and onnxscript."""
import sys

# Of each: transformers' configuration, its arguments, the model, what to call it with, which result.
ARCHITECTURES = {
    "bert_base_128": ("BertConfig", {"vocab_size": 2000, "num_hidden_layers": 12}, "BertModel", 128, "last_hidden_state"),
    "minilm_64": ("BertConfig", {"vocab_size": 2000, "hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536},
                  "BertModel", 64, "last_hidden_state"),
    "vit_tiny": ("ViTConfig", {"hidden_size": 192, "num_hidden_layers": 12, "num_attention_heads": 3, "intermediate_size": 768}, "ViTModel", None,
                 "last_hidden_state"),
    "resnet50": ("ResNetConfig", {"num_labels": 1000}, "ResNetForImageClassification", None, "logits"),
    "mobilenet_v2": ("MobileNetV2Config", {"num_labels": 1000}, "MobileNetV2ForImageClassification", None, "logits"),
    "convnext_tiny": ("ConvNextConfig", {"num_labels": 1000}, "ConvNextForImageClassification", None, "logits"),
    "efficientnet_b0": ("EfficientNetConfig", {"num_labels": 1000, "width_coefficient": 1.0, "depth_coefficient": 1.0, "image_size": 224, "hidden_dim": 1280},
                        "EfficientNetForImageClassification", None, "logits"),
}  # fmt: skip


def make(name):
    """The module, from one tensor to one, and a tensor for it."""
    import torch
    import transformers

    config, arguments, model, tokens, result = ARCHITECTURES[name]

    class OfOneTensor(torch.nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            return getattr(self.inner(**{"input_ids" if tokens else "pixel_values": x}), result)

    torch.manual_seed(0)
    pooling = {} if result == "logits" else {"add_pooling_layer": False}
    module = OfOneTensor(getattr(transformers, model)(getattr(transformers, config)(**arguments), **pooling)).eval()
    return module, torch.randint(0, 2000, (1, tokens)) if tokens else torch.randn(1, 3, 224, 224)


def main():
    import torch

    name, out = sys.argv[1:]
    module, sample = make(name)
    torch.onnx.export(module, (sample,), out, external_data=False, dynamo=True, verbose=False, optimize=True)


if __name__ == "__main__":
    main()
