import type { ScriptedRun } from './strategy-world.js';

/** A scripted run and everything that its followers see, between `status running` and the last event. */
export interface GoldenRun extends ScriptedRun {
  /** A sentence with the numbers of the requirements that the run proves. */
  readonly name: string;
  /** Ids of the providers with this case, e.g. with a call that has no id; default all. */
  readonly by?: readonly string[];
  readonly reported:
    readonly string[] | { readonly streamed: readonly string[]; readonly whole: readonly string[] };
  readonly result: string;
  /** Warnings in the execution's metadata; none by default. */
  readonly warnings?: readonly string[];
  /** Texts that only the journal may contain. */
  readonly hidden?: readonly string[];
}

export const ask = (...names: readonly string[]) => ({ calls: names.map((name) => ({ name })) });
/** Providers whose models reason without being asked, and whose refusals are texts. */
export const OPENAI_WIRE = ['openai', 'openai_compatible'];
/** Providers of the Messages API: reasoning comes only where it was asked for, and a refusal is an ending. */
export const MESSAGES_WIRE = ['anthropic', 'bedrock'];
export const HIDE = { emit_intermediate_thoughts: false };
