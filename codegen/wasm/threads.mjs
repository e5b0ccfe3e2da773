
/** The memory that workers share. Throws where pages and engines give none. */
function sharedMemory() {
  if (typeof SharedArrayBuffer === "undefined")
    throw new Error("threads need SharedArrayBuffer, which this page does not have: the server has to send the headers " +
      "Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp; a package of another target works without threads");
  // It grows for texts of inputs, as memory of one thread does: what is reserved for that is addresses, of which some engines have few.
  for (let maximum = model.inputs.some(({ isText }) => isText) ? 65536 : model.pages; ; maximum = Math.max(model.pages, maximum >> 1))
    try {
      return new WebAssembly.Memory({ initial: model.pages, maximum, shared: true });
    } catch (error) {
      if (maximum === model.pages) throw error;
    }
}

/** How many threads there are sensibly: as many as the machine runs at the same time. */
async function machineThreads() {
  if (globalThis.navigator?.hardwareConcurrency) return navigator.hardwareConcurrency;
  const { availableParallelism, cpus } = await ofNode("os");
  return availableParallelism?.() ?? cpus().length;
}

async function startWorker() {
  if (typeof Worker !== "undefined") return new Worker(new URL("./@prefix@_worker.mjs", import.meta.url), { type: "module" });
  const threads = await ofNode("worker_threads");
  return new threads.Worker(new URL("./@prefix@_worker.mjs", import.meta.url));
}

const workersOf = new WeakMap();
const end = (workers) => workers.forEach((worker) => worker.terminate());
const forgotten = new FinalizationRegistry(end);

/** Starts the workers of an instance; all are there when it returns. */
async function join(instance, module, memory, given) {
  if (given !== undefined && (!Number.isInteger(given) || given < 1)) throw new RangeError(`threads is ${given}, not a number from 1 on`);
  const count = Math.min(model.threads, given ?? (await machineThreads()));
  const workers = [];
  const begin = async (index) => {
    const worker = await startWorker();
    workers.push(worker);
    await new Promise((resolve, reject) => {
      const refuse = (problem) => reject(new Error(`a worker of @prefix@ does not start: ${problem?.message ?? problem}`));
      const hear = (said) => (said === "ready" ? resolve() : refuse(said));
      if (worker.on) worker.on("message", hear).on("error", refuse).on("exit", (status) => refuse(`it ended with status ${status}`));
      else Object.assign(worker, { onmessage: ({ data }) => hear(data), onerror: refuse });
      worker.postMessage({ module, memory, index, threads: model.threads });
    });
    worker.unref?.(); // a program in Node ends without close(); before, it would end while load() waits, and a listener counts again
  };
  try {
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => begin(index + 1)));
  } catch (error) {
    end(workers);
    throw error;
  }
  workersOf.set(instance, workers);
  forgotten.register(instance, workers, instance);
}

/** Ends the workers. Calls still work, on one thread. */
Model.prototype.close = function () {
  end(workersOf.get(this) ?? []);
  workersOf.delete(this);
  forgotten.unregister(this);
};
