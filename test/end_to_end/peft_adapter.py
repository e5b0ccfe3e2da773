# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An adapter as PEFT writes it, of random matrices, and the model as it is with it."""
import json
import os


def train(model, folder):
    """Adds pairs of random matrices to linear layers, and writes them."""
    import torch
    from safetensors.torch import save_file

    tensors = {}
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Linear) and not name.endswith("lm_head") and not name.endswith("proj_out"):
            a, b = torch.randn(4, module.in_features) / 4, torch.randn(module.out_features, 4) / 4
            module.weight.data = (module.weight.data.double() + 2 * (b.double() @ a.double())).float()
            tensors |= {f"base_model.model.{name}.lora_A.weight": a, f"base_model.model.{name}.lora_B.weight": b}
    os.makedirs(folder, exist_ok=True)
    save_file(tensors, f"{folder}/adapter_model.safetensors")
    with open(f"{folder}/adapter_config.json", "w", encoding="utf-8") as file:
        json.dump({"peft_type": "LORA", "r": 4, "lora_alpha": 8}, file)
    return tensors
