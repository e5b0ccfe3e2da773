@origin@

/** What run() takes, by the model's names. States may be left out: they are what the last call left. */
export interface Inputs {
@inputs@
}
/** What run() gives: copies, or with `views` the memory itself. */
export interface Outputs {
@outputs@
}
/** Sizes that vary from call to call; those that follow from the arrays need not be said. */
export interface Dims {
@dims@
}
/** The shape of an output; an array that is handed to run() may have one, too. */
export interface Shaped {
  dims: readonly number[];
}

export interface RunOptions {
  dims?: Dims;
  /** Outputs are views of the instance's memory, good until the next call. Default: copies. */
  views?: boolean;
}
/** Of types that browsers and Node have, those that the project's TypeScript knows (by its library `dom`, or @types/node). */
type Known<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : never;
type KnownModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Type } } } ? Type : never;
type Source = string | ArrayBuffer | ArrayBufferView | Known<"URL"> | Known<"Response"> | Promise<Known<"Response">>;
export interface LoadOptions {
  /** Where the module lies (default: beside this file), or what it is. */
  wasm?: Source | KnownModule;
  /** The same of the weights, where these are a file of their own. */
  weights?: Source;
  /** Bytes that have come, and that are to come. */
  progress?: (loaded: number, total: number) => void;@threads@
}

export declare class Model {
  private constructor();
  /** One call. Throws a TypeError or RangeError for arguments that do not fit, a SinterError for what the call refuses. */
  run(inputs: Inputs, options?: RunOptions): Outputs;
  /** The memory that an input is read from, of the largest size: who writes there and hands it to run() saves a copy. */
  input<Name extends keyof Inputs>(name: Name): Exclude<NonNullable<Inputs[Name]>, Known<"Float16Array">>;
  /** All states are as in the beginning: zeros, and no rows of those that grow. */
  reset(): void;@close@
}
/** A call that ended with a status other than 0. */
export declare class SinterError extends Error {
  readonly status: number;
}
/** Makes an instance: memory of its own, code that all share. */
export declare function load(options?: LoadOptions): Promise<Model>;
