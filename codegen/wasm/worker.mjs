@origin@
// A thread of @prefix@.mjs: takes shares of its calls as long as it lives.
async function attend(scope, { module, memory, index, threads }) {
  let exports;
  try {
    ({ exports } = await WebAssembly.instantiate(module, { env: { memory } }));
    const stack = exports.__stack_pointer; // of all threads, one below the other
    stack.value -= (stack.value / threads) * index;
  } catch (error) {
    scope.postMessage(String(error));
    return;
  }
  scope.postMessage("ready");
  try {
    exports.attend();
  } catch (error) {
    exports.fail(); // or the call would wait for what this thread has taken
    throw error;
  }
}
// Nothing is awaited out here, which bundlers do not take in workers; Node's module has no literal for a name, which they would look for.
const ofNode = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);
if (typeof self !== "undefined") self.onmessage = ({ data }) => attend(self, data);
else ofNode("worker_threads").then(({ parentPort }) => parentPort.once("message", (data) => attend(parentPort, data)));
