@origin@
const model = @model@;
// Spelt out, so that bundlers find the files.
const wasmUrl = () => @wasm@;
const weightsUrl = () => @weights@;

const arrays = {
  Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array, Float32Array, Float64Array,
};
for (const tensor of [...model.inputs, ...model.outputs]) {
  tensor.isText = tensor.type === "string"; // an element is an address and a size
  tensor.isFixed = tensor.dims.every((dim) => typeof dim === "number");
  tensor.fixedLength = tensor.isFixed ? lengthOf(tensor, tensor.dims) : -1;
  if (tensor.isFixed) Object.freeze(tensor.dims);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** How many numbers of the array hold a tensor of these sizes. */
function lengthOf(tensor, dims) {
  const bits = dims.reduce((product, dim) => product * dim, tensor.bits);
  return Math.ceil(bits / (8 * arrays[tensor.array].BYTES_PER_ELEMENT));
}
const countOf = (tensor, length) => (tensor.isText ? length / 2 : length);
const describe = (tensor) => `${tensor.type}[${tensor.dims.map((dim) => dim ?? "?").join(", ")}]`;

/** A call that ended with a status other than 0. */
export class SinterError extends Error {
  constructor(status) {
    super(model.statuses[status] ?? `a custom operator returned ${status}`);
    this.name = "SinterError";
    this.status = status;
  }
}

/** A module of Node's own. Its name is no literal, which bundlers for browsers would look for and not find. */
const ofNode = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);

/** The bytes behind a URL, a Response or a buffer, and in `from` how errors name that: browsers say neither what failed nor why. */
async function bytesOf(source, url, advance, what) {
  source = await source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    advance(source.byteLength);
    const bytes = ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
    return { bytes, from: `${what}, bytes` };
  }
  const refusal = (from) => (cause) => {
    throw new Error(`${from}: ${cause.message}`, { cause });
  };
  if (typeof Response === "undefined" || !(source instanceof Response)) {
    if (source !== undefined && typeof source !== "string" && typeof source?.href !== "string")
      throw new TypeError(`${what} is a URL, a Response or bytes; ${source?.constructor?.name ?? source} was given`);
    const address = source === undefined ? url() : new URL(/* webpackIgnore: true */ source, import.meta.url);
    if (address.protocol === "file:") {
      const { readFile } = await ofNode("fs/promises");
      const bytes = await readFile(address);
      advance(bytes.length);
      return { bytes, from: `${what}, ${address}` };
    }
    source = await fetch(address).catch(refusal(`${what}, ${String(address).slice(0, 200)}`)); // a bundler's data: is long
  }
  const from = `${what}, ${source.url.slice(0, 200) || "a Response"}`;
  if (!source.ok) throw new Error(`${from}: ${source.status} ${source.statusText}`);
  const pieces = [];
  let length = 0;
  for (const reader = (source.body ?? new Blob().stream()).getReader(); ; ) {
    const { done, value } = await reader.read().catch(refusal(from)); // the rest does not come
    if (done) break;
    pieces.push(value);
    length += value.length;
    advance(value.length);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { bytes, from };
}

async function moduleOf(source, advance) {
  if (source instanceof WebAssembly.Module) return source;
  const { bytes, from } = await bytesOf(source, wasmUrl, advance, "wasm");
  return WebAssembly.compile(bytes).catch((cause) => {
    throw new WebAssembly.CompileError(`${from}: ${cause.message}; expected is a module of ${model.target}, and an engine that runs it`, { cause });
  });
}

/** FNV-1a, a word of four bytes at a time. */
function checksum(words, rest) {
  let sum = 0x811c9dc5;
  for (const words_ of [words, rest]) for (let i = 0; i < words_.length; ++i) sum = Math.imul(sum ^ words_[i], 16777619);
  return sum >>> 0;
}

let ownModule; // compiled once for all instances

/** Makes an instance: memory of its own, code that all share. */
export async function load(options) {
  const { wasm, weights, progress@options@ } = options ?? {};
  const imports = @imports@;
  let loaded = 0;
  const total = model.wasmBytes + model.weightsBytes;
  const advance = (bytes) => progress?.((loaded += bytes), total);
  if (wasm === undefined && !ownModule) {
    ownModule = moduleOf(wasm, advance);
    ownModule.catch(() => (ownModule = undefined)); // the next one tries again
  }
  const [module, brought] = await Promise.all([
    wasm === undefined ? ownModule : moduleOf(wasm, advance),
    model.weightsBytes > 0 ? bytesOf(weights, weightsUrl, advance, "weights") : undefined,
  ]);
  const instance = new Model(await WebAssembly.instantiate(module, imports), brought);@joined@
  if (loaded < total) progress?.(total, total);
  return instance;
}

export class Model {
  #run;
  #memory;
  #addresses;
  #textAt = 0;
  #textRoom = 0;
  #inputs = [];
  #outputs = [];
  #byName = new Map();
  #dims = [];
  #values = new Map(); // of dims, in this call
  #held = new Map(); // rows of states that grow, by the dim that counts them

  /** Use load(). */
  constructor(instance, weights) {
    const { memory, places, run } = instance.exports;
    this.#run = run;
    this.#memory = memory;
    this.#addresses = Uint32Array.from(new Uint32Array(memory.buffer, places(), model.places));
    this.#inputs = model.inputs.map((tensor) => ({ tensor, view: undefined, sizes: undefined, texts: [] }));
    this.#outputs = model.outputs.map((tensor) => ({ tensor, view: undefined, sizes: undefined }));
    this.#dims = model.dims.map((dim) => ({ dim, place: undefined }));
    for (const input of this.#inputs) this.#byName.set(input.tensor.name, input);
    const next = this.#bind();
    if (weights) this.#takeWeights(weights, memory.buffer, this.#addresses[next]);
  }

  /** Views of all places, anew when the memory has grown. */
  #bind() {
    const { buffer } = this.#memory;
    let next = 0;
    for (const each of [...this.#inputs, ...this.#outputs])
      each.view = new arrays[each.tensor.array](buffer, this.#addresses[next++], lengthOf(each.tensor, each.tensor.max));
    for (const each of this.#dims) each.place = new BigInt64Array(buffer, this.#addresses[next++], 1);
    for (const each of [...this.#outputs, ...this.#inputs])
      if (each.tensor.hasSizes) each.sizes = new BigInt64Array(buffer, this.#addresses[next++], each.tensor.dims.length);
    return next;
  }

  /** Bytes of the texts of a call, which lie behind all else: memory grows when they need more than any call before, and
   * with it views of it that the caller has got are renewed. */
  #encode(inputs) {
    let total = 0;
    for (const input of this.#inputs) {
      const { name, isText } = input.tensor;
      if (!isText || !Array.isArray(inputs[name])) continue; // what else it is, #write says
      input.texts = Array.from(inputs[name], (text) => {
        if (typeof text !== "string" && !(text instanceof Uint8Array))
          throw new TypeError(`input '${name}' is ${describe(input.tensor)}: elements are strings, or bytes as Uint8Array; ${text?.constructor?.name ?? typeof text} was given`);
        const bytes = typeof text === "string" ? encoder.encode(text) : text;
        total += bytes.length;
        return bytes;
      });
    }
    if (total <= this.#textRoom) return inputs;
    const isOwn = ({ tensor, view }, given) => !tensor.isText && given?.buffer === view.buffer && given.byteOffset === view.byteOffset;
    const own = new Map(this.#inputs.filter((input) => isOwn(input, inputs[input.tensor.name])).map((input) => [input.tensor.name, inputs[input.tensor.name].length]));
    const pages = Math.ceil((total - this.#textRoom) / 65536);
    const end = this.#memory.grow(pages) * 65536;
    if (this.#textRoom === 0) this.#textAt = end;
    this.#textRoom += pages * 65536;
    this.#bind();
    const renew = ([name, given]) => [name, own.has(name) ? this.#byName.get(name).view.subarray(0, own.get(name)) : given];
    return Object.fromEntries(Object.entries(inputs).map(renew));
  }

  /** `at` is where the next text goes. */
  #writeTexts({ view, texts }, at) {
    const bytes = new Uint8Array(this.#memory.buffer);
    texts.forEach((text, i) => {
      bytes.set(text, at);
      view.set([at, text.length], 2 * i);
      at += text.length;
    });
    return at;
  }

  #takeWeights({ bytes, from }, buffer, place) {
    if (bytes.length !== model.weightsBytes)
      throw new RangeError(`${from}: ${bytes.length} bytes, but the weights of this model are ${model.weightsBytes}`);
    const copy = new Uint8Array(buffer, place, bytes.length);
    copy.set(bytes);
    const whole = bytes.length >> 2;
    if (checksum(new Uint32Array(buffer, place, whole), copy.subarray(whole * 4)) !== model.weightsChecksum)
      throw new RangeError(`${from}: not the weights of this model, or damaged`);
  }

  /** The memory that an input is read from, of the largest size: who writes there and hands it to run() saves a copy. */
  input(name) {
    const input = this.#byName.get(name);
    if (!input) throw new TypeError(`no input '${name}'`);
    if (input.tensor.isText) throw new TypeError(`input '${name}' is ${describe(input.tensor)}: strings are handed to run()`);
    return input.view;
  }

  /** All states are as in the beginning: zeros, and no rows of those that grow. */
  reset() {
    this.#held.clear();
    for (const { tensor, view } of this.#inputs) if (tensor.state) view.fill(view instanceof BigInt64Array || view instanceof BigUint64Array ? 0n : 0);
  }

  run(inputs, options) {
    const { dims, views = false } = options ?? {};
    inputs ??= {};
    for (const name in inputs) if (!this.#byName.has(name)) throw new TypeError(`no input '${name}'; there are ${[...this.#byName.keys()].join(", ")}`);
    if (this.#dims.length > 0) this.#takeDims(inputs, dims ?? {});
    inputs = this.#encode(inputs);
    let textAt = this.#textAt;
    for (const input of this.#inputs) {
      this.#write(input, inputs);
      if (input.tensor.isText) textAt = this.#writeTexts(input, textAt);
    }
    const status = this.#run();
    if (status !== 0) throw new SinterError(status);
    for (const { tensor, sizes } of this.#inputs) if (sizes) this.#held.set(tensor.dims[tensor.grows], Number(sizes[tensor.grows]));
    return Object.fromEntries(this.#outputs.map((output) => [output.tensor.name, this.#result(output, views)]));
  }

  #write({ tensor, view }, inputs) {
    let given = Object.hasOwn(inputs, tensor.name) ? inputs[tensor.name] : undefined;
    if (given === undefined) {
      if (tensor.state) return;
      throw new TypeError(`input '${tensor.name}' is missing: ${describe(tensor)}, as ${tensor.isText ? "an array of strings" : tensor.array}`);
    }
    if (tensor.type === "float16" && given?.[Symbol.toStringTag] === "Float16Array") // where there is one: its bits
      given = Object.assign(new Uint16Array(given.buffer, given.byteOffset, given.length), given.dims && { dims: given.dims });
    const kind = Array.isArray(given) ? "Array" : given?.[Symbol.toStringTag];
    if (kind !== (tensor.isText ? "Array" : tensor.array) && !(kind === "Uint8ClampedArray" && tensor.array === "Uint8Array"))
      throw new TypeError(`input '${tensor.name}' is ${describe(tensor)}, as ${tensor.isText ? "an array of strings" : tensor.array}; ${given?.constructor?.name ?? typeof given} was given`);
    const sizes = tensor.isFixed ? tensor.dims : this.#sizesOf(tensor);
    const length = countOf(tensor, tensor.isFixed ? tensor.fixedLength : sizes ? lengthOf(tensor, sizes) : given.length * (tensor.isText ? 2 : 1));
    if (given.dims && sizes && (given.dims.length !== sizes.length || sizes.some((size, i) => size !== given.dims[i])))
      throw new RangeError(`input '${tensor.name}' is [${sizes.join(", ")}], [${[...given.dims].join(", ")}] was given`);
    if (given.buffer === view.buffer && given.byteOffset === view.byteOffset && given.length >= length) return;
    if (given.length !== length || length > countOf(tensor, view.length))
      throw new RangeError(`input '${tensor.name}' is ${describe(tensor)}, ${sizes ? length : `at most ${countOf(tensor, view.length)}`} elements; ${given.length} were given`);
    if (!tensor.isText) view.set(given);
  }

  /** Undefined where a size is an expression that only the call knows. */
  #sizesOf(tensor) {
    const sizes = tensor.dims.map((dim, i) => (i === tensor.grows ? tensor.max[i] : typeof dim === "string" ? this.#values.get(dim) : dim));
    return sizes.includes(null) ? undefined : sizes;
  }

  /** Sizes by what is said first: options, shapes of arrays, lengths of arrays, rows that states hold, sums of others. */
  #takeDims(inputs, given) {
    const values = this.#values;
    values.clear();
    for (const name in given) {
      if (!model.dims.some((dim) => dim.name === name)) throw new TypeError(`no dim '${name}'; there are ${model.dims.map((dim) => dim.name).join(", ")}`);
      values.set(name, given[name]);
    }
    const arraysGiven = this.#inputs.filter(({ tensor }) => !tensor.isFixed && !tensor.state && Object.hasOwn(inputs, tensor.name));
    for (const { tensor } of arraysGiven)
      tensor.dims.forEach((dim, i) => {
        if (typeof dim === "string" && !values.has(dim) && inputs[tensor.name]?.dims) values.set(dim, inputs[tensor.name].dims[i]);
      });
    for (const { tensor } of this.#inputs)
      if (tensor.grows !== null && !values.has(tensor.dims[tensor.grows])) values.set(tensor.dims[tensor.grows], this.#held.get(tensor.dims[tensor.grows]) ?? 0);
    for (let before = -1; before !== values.size; ) {
      before = values.size;
      for (const { tensor } of arraysGiven) this.#sizeByLength(tensor, inputs[tensor.name]);
      for (const { name, terms } of model.dims)
        if (terms && !values.has(name) && terms.every(([, names]) => names.every((other) => values.has(other))))
          values.set(name, terms.reduce((sum, [factor, names]) => sum + names.reduce((product, other) => product * values.get(other), factor), 0));
    }
    for (const { dim, place } of this.#dims) {
      const value = values.get(dim.name);
      if (value === undefined) throw new TypeError(`the dim '${dim.name}' is not known: run(inputs, { dims: { ... } }), or arrays with \`dims\``);
      if (!Number.isInteger(value) || value < dim.min || value > dim.max) throw new RangeError(`the dim '${dim.name}' is ${value}${typeof value === "number" ? "" : `, a ${typeof value}`}, outside ${dim.min}..${dim.max}`);
      place[0] = BigInt(value);
    }
  }

  /** The one dim of a tensor that is not known yet. */
  #sizeByLength(tensor, given) {
    const values = this.#values;
    const unknown = tensor.dims.filter((dim) => dim === null || (typeof dim === "string" && !values.has(dim)));
    if (unknown.length !== 1 || unknown[0] === null || typeof given?.length !== "number") return;
    const one = lengthOf(tensor, tensor.dims.map((dim) => (typeof dim === "number" ? dim : values.get(dim) ?? 1)));
    if (one > 0) values.set(unknown[0], given.length / countOf(tensor, one));
  }

  #result({ tensor, view, sizes }, views) {
    const dims = sizes ? Array.from(sizes, Number) : tensor.dims;
    const length = sizes ? lengthOf(tensor, dims) : tensor.fixedLength;
    const array = tensor.isText ? this.#textsOf(view, length) : views ? view.subarray(0, length) : view.slice(0, length);
    array.dims = dims;
    return array;
  }

  #textsOf(view, length) {
    const { buffer } = this.#memory;
    const bytesAt = (at, size) => new Uint8Array(buffer, at, size).slice(); // decoders of browsers refuse memory that threads share
    return Array.from({ length: length / 2 }, (_, i) => decoder.decode(bytesAt(view[2 * i], view[2 * i + 1])));
  }
}
@threads@