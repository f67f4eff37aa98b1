import type { ScriptedRun } from './strategy-world.js';

/** A scripted run and everything that its followers see, between `status running` and the last event. */
export interface GoldenRun extends ScriptedRun {
  /** A sentence with the numbers of the requirements that the run proves. */
  readonly name: string;
  /** Id of the only provider with this case: a text after a call, a call without an id, or the place of a broken stream. */
  readonly onlyBy?: string;
  readonly reported:
    readonly string[] | { readonly streamed: readonly string[]; readonly whole: readonly string[] };
  readonly result: string;
  /** Warnings in the execution's metadata; none by default. */
  readonly warnings?: readonly string[];
  /** Texts that only the journal may contain. */
  readonly hidden?: readonly string[];
}

export const ask = (...names: readonly string[]) => ({ calls: names.map((name) => ({ name })) });
export const HIDE = { emit_intermediate_thoughts: false };
