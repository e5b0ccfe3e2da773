@origin@
// A thread of @prefix@.mjs: takes shares of its calls as long as it lives.
const scope = typeof self === "undefined" ? (await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:worker_threads")).parentPort : self;

async function attend({ module, memory, index, threads }) {
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
if (scope.on) scope.once("message", attend);
else scope.onmessage = ({ data }) => attend(data);
