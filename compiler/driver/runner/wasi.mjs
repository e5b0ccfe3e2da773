// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// node wasi.mjs PROGRAM ARGUMENT...: a program of WebAssembly with files and a clock, as runner.cpp is one.
import { readFileSync } from "node:fs";
import process from "node:process";
import { setFlagsFromString } from "node:v8";

process.removeAllListeners("warning"); // that WASI is an experiment of Node's
process.on("warning", () => {});
const { WASI } = await import("node:wasi");
const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...rest], preopens: { "/": "/" }, returnOnExit: true });
const bytes = readFileSync(program);
if (!WebAssembly.validate(bytes)) setFlagsFromString("--experimental-wasm-relaxed-simd"); // of Node 20, later ones have it
const module = await WebAssembly.compile(bytes);
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exit(wasi.start(instance));
