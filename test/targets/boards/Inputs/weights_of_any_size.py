# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# weights_of_any_size.py BOARDS FOLDER: links images with 0 to 70 bytes of weights for each board, at alignments of 4 and 64. The linker
# itself checks that they end in the last bytes of the flash.
import pathlib
import subprocess
import sys

boards, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(parents=True, exist_ok=True)
objects = []
for size in range(71):
    for alignment in (4, 64):
        name = folder / f"{size}_{alignment}"
        weights = f'.section .rodata.net_weights,"a",%progbits\n.balign {alignment}\n.globl net_weights\nnet_weights: .fill {size}, 1, 7\n'
        source = f".syntax unified\n.cpu cortex-m0\n.thumb\n{weights if size else ''}.text\n.globl reset\n.thumb_func\nreset: b reset\n"
        subprocess.run(["arm-none-eabi-as", "-o", f"{name}.o", "-"], input=source, text=True, check=True)
        end = f"net_weights + {size}"
        name.with_suffix(".ld").write_text(
            f'ASSERT({end} <= flash_end && {end} + {alignment} > flash_end, "weights of {size} bytes do not end the flash")\n' if size else ""
        )
        objects.append(name)
for board in sorted(boards.glob("*.ld")):
    if board.name == "image.ld":
        continue
    for name in objects:
        command = ["arm-none-eabi-ld", "-L", boards, "-T", board, f"{name}.o", name.with_suffix(".ld"), "-o", folder / "image"]
        subprocess.run(command, check=True)
    print(f"{board.stem}: {len(objects)} images")
