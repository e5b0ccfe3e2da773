// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A net by Sinter's package and by onnxruntime-web on one thread, in turn: seconds of a call, and how far results are apart. For Node and for
// browsers; browser_table.py makes the configuration: { base, ort, nets: [{ name, model, packages: { target: path }, inputs: [{ name, type, array, dims }] }] }.
const rounds = 15;
const secondsOfRound = 0.08;
const secondsToWarm = 0.4;

const filled = (array, length) => {
  if (array.startsWith("Big")) return globalThis[array].from({ length }, (_, i) => BigInt(i % 3));
  const isFloat = array.startsWith("Float");
  return globalThis[array].from({ length }, (_, i) => (isFloat ? Math.sin(1.7 * i) : 37 * i));
};

/** Calls for so many seconds; the mean of one. The clock is read once in a batch: browsers round it. */
async function time(call, seconds, batch) {
  const begin = performance.now();
  let calls = 0;
  let now;
  do {
    for (let i = 0; i < batch; ++i) await call();
    calls += batch;
    now = performance.now();
  } while (now - begin < 1000 * seconds);
  return (now - begin) / 1000 / calls;
}

async function compareNet(ort, net, at) {
  const model = new Uint8Array(await net.bytes);
  const session = await ort.InferenceSession.create(model, { executionProviders: ["wasm"], graphOptimizationLevel: "all" });
  const inputs = {};
  const tensors = {};
  for (const { name, type, array, dims } of net.inputs) {
    inputs[name] = filled(array, dims.reduce((product, dim) => product * dim, 1));
    tensors[name] = new ort.Tensor(type, inputs[name], dims);
  }
  const calls = { ort: () => session.run(tensors) };
  const given = await session.run(tensors);
  let apart = 0;
  for (const [target, path] of Object.entries(net.packages)) {
    const ours = await (await import(at(path))).load();
    calls[target] = () => ours.run(inputs);
    for (const [name, array] of Object.entries(ours.run(inputs))) {
      const theirs = given[name].data;
      const largest = theirs.reduce((most, value) => Math.max(most, Math.abs(Number(value))), 1e-9);
      array.forEach((value, i) => (apart = Math.max(apart, Math.abs(Number(value) - Number(theirs[i])) / largest)));
    }
  }
  const best = {};
  const batches = {};
  for (const [who, call] of Object.entries(calls)) batches[who] = Math.max(1, Math.floor(0.02 / (await time(call, secondsToWarm, 1))));
  for (let round = 0; round < rounds; ++round)
    for (const [who, call] of Object.entries(calls)) best[who] = Math.min(best[who] ?? Infinity, await time(call, secondsOfRound, batches[who]));
  await session.release();
  return { name: net.name, seconds: best, apart };
}

export async function compareAll(config, at, read) {
  const ort = await import(at(`${config.ort}/ort.wasm.min.mjs`));
  Object.assign(ort.env.wasm, { numThreads: 1, wasmPaths: at(`${config.ort}/`) });
  ort.env.logLevel = "error";
  const results = [];
  for (const net of config.nets) results.push(await compareNet(ort, { ...net, bytes: read(net.model) }, at));
  return results;
}

if (typeof process !== "undefined" && process.argv?.[2]) {
  const { readFile } = await import("node:fs/promises");
  const config = JSON.parse(await readFile(process.argv[2], "utf8"));
  const at = (path) => new URL(path, `file://${config.base}/`).href;
  console.log(JSON.stringify(await compareAll(config, at, (path) => readFile(new URL(at(path))))));
}
