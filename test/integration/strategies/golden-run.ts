import type { ScriptedRun } from './strategy-world.js';

/** A scripted run and everything that its followers see, between `status running` and the last event. */
export interface GoldenRun extends ScriptedRun {
  /** A sentence with the numbers of what it shows. */
  readonly name: string;
  /** Whose API alone has it: a text after a call, a call without an id, or where a stream is broken off. */
  readonly onlyBy?: string;
  readonly reported:
    readonly string[] | { readonly streamed: readonly string[]; readonly whole: readonly string[] };
  readonly result: string;
  /** What may be in the journal only. */
  readonly hidden?: readonly string[];
}

export const ask = (...names: readonly string[]) => ({ calls: names.map((name) => ({ name })) });
export const HIDE = { emit_intermediate_thoughts: false };
