#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu_page.py GPU.json [--write docs/benchmarks.md]: the table of what scripts/test-gpu measured, between that page's marks: of each net the median of
calls as a graph with tensors on the device, with L2 warm and flushed, as plain launches, and with tensors on the host; the modelled time; peers."""
import argparse
import json
import re

MARKS = ("<!-- gpu begins: test/tools/gpu_page.py -->\n", "<!-- gpu ends -->")
WAYS = (("graph", "device", "warm"), ("graph", "device", "flushed"), ("plain", "device", "warm"), ("graph", "host", "warm"))


def page(result):
    device = result["device"]
    peers = {each["name"]: {peer["name"]: peer for peer in each["peers"]} for each in result["peers"] if "peers" in each}
    names = list(dict.fromkeys(name for of in peers.values() for name, peer in of.items() if "p50_us" in peer))
    text = f"{device['name']}, CUDA {device['driver_cuda'] // 1000}.{device['driver_cuda'] % 1000 // 10}, {result['date'][:10]}, {result['sinter']}. Microseconds.\n\n"
    head = ["net", "launches", "graph", "L2 flushed", "plain launches", "tensors on the host", "modelled", *names]
    rows = [head, ["---"] * len(head)]
    for net in result["latencies"]:
        if "ways" not in net:
            continue
        ways = {(way["launches"], way["tensors"], way["l2"]): way["p50_us"] for way in net["ways"]}
        ours = ways[WAYS[0]]
        of = [peers.get(net["name"], {}).get(name, {}).get("p50_us") for name in names]
        rows.append([net["name"], str(net["launches"]), *(f"{ways[way]:.0f}" for way in WAYS), f"{net['modelled_us'] or 0:.0f}", *(f"{us:.0f} ({us / ours:.1f})" if us else "" for us in of)])
    return text + "".join("| " + " | ".join(row) + " |\n" for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("--write")
    options = parser.parse_args()
    with open(options.result, encoding="utf-8") as file:
        table = page(json.load(file))
    if not options.write:
        print(table, end="")
        return
    with open(options.write, encoding="utf-8") as file:
        old = file.read()
    new = re.sub(f"({re.escape(MARKS[0])}).*?({re.escape(MARKS[1])})", lambda marks: marks[1] + table + marks[2], old, flags=re.DOTALL)
    with open(options.write, "w", encoding="utf-8") as file:
        file.write(new)


if __name__ == "__main__":
    main()
