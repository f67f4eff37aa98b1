import type { z } from 'zod';
import type { JsonObject } from '#libs/kernel';
import type { ParameterOptions } from './check-parameter-options.js';
import type { FunctionCallResult } from './function-call-result.js';
import type { InputReader } from './input-reader.js';
import type { ToolContext } from './tool-context.js';
import type { OpenedScope } from './opened-scope.js';
import type { Sources } from './sources.js';
import type { ToolOutput } from './tool-output.js';

/**
 * What repeating a call would do. `read`: nothing. `idempotent`: the same, given the same idempotency key. `unsafe`:
 * perhaps a second side effect; such a call is never repeated after a crash.
 */
export type ToolEffect = 'read' | 'idempotent' | 'unsafe';

/**
 * What happens when nobody knows whether a call took effect. `halt`: the execution fails. `ask`: a person says whether it
 * happened. `inform`: the model is asked to find out, and an equal call is not run again.
 */
export type OnUnknown = 'halt' | 'ask' | 'inform';

/** Which calls wait for a person's decision. A function must be pure: after a crash it is asked again. */
export type ApprovalRule<Input> = 'never' | 'always' | ((input: Input) => boolean);

/** A change of the domain's data that becomes visible together with the answer, or not at all (S4-20). */
export interface StagedChange {
  /** Names who applies it, e.g. `parcel.booked`. */
  readonly kind: string;
  readonly data: JsonObject;
}

export interface ToolReturn {
  readonly result: FunctionCallResult;
  /** Texts, links, images and files. Where there are any, the model reads their texts in place of `result` (3.D-11). */
  readonly outputs?: readonly ToolOutput[];
  /** Kept for the `data` of the next assistant message (S2-24, S2-28). */
  readonly bake?: JsonObject;
  readonly staged?: readonly StagedChange[];
  /** What it read to the model of documents: the answer cites it. */
  readonly sources?: Sources;
}

/** What the answer of a tool may leave behind. */
export interface KeptData {
  readonly baked: z.ZodType<JsonObject>;
  /** What may be staged, by kind. */
  readonly staged: ReadonlyMap<string, z.ZodType>;
}

/**
 * A tool, wherever it comes from: JSON Schema, what repeating it would do, its limits, and who has to agree. Write it as a
 * plain object, or by `defineTool` where a zod schema describes the input.
 */
export interface ToolDefinition<Input = unknown> {
  /** What the model calls, `[a-zA-Z0-9_-]{1,64}`. */
  readonly name: string;
  /** For error texts, e.g. `book parcel` (S2-37). */
  readonly label: string;
  /** Written for the model. */
  readonly description: string;
  readonly effect: ToolEffect;
  /**
   * JSON Schema (draft 7, or 2020-12 where `$schema` says so) of an object. Held to its letter by the provider where it is
   * strict (S2-10): every field required, none extra, optional ones nullable.
   */
  readonly inputSchema: JsonObject;
  /** Checks arguments and makes them what `run` gets. By default they are checked against `inputSchema` and passed on. */
  readonly readInput?: InputReader<Input>;
  /** What text parameters of the input may be, by their names (S0-36); the model reads them. */
  readonly parameterOptions?: ParameterOptions;
  /** Milliseconds; the call is given up and counts as failed. */
  readonly timeoutMs: number;
  /** Bytes of what the model reads and the audit keeps, 1 024 … 1 048 576; by default 65 536. The rest is cut off. */
  readonly maxOutputBytes?: number;
  /** By default `halt`. */
  readonly onUnknown?: OnUnknown;
  /** Somebody outside writes what it answers: the model reads it as data, marked as such. False by default. */
  readonly isForeign?: boolean;
  /** By default `never`. */
  readonly approval?: ApprovalRule<Input>;
  /**
   * What the model reads of arguments that are not JSON: a `FunctionCallResult` (S2-34), as it reads of every tool of a
   * domain, or the plain text of S0-34. By default `text`; set by the tool's domain.
   */
  readonly answersWith?: 'result' | 'text';
  /** Set by the tool's domain, never by the tool; without it nothing may be baked or staged. */
  readonly keeps?: KeptData;
  /** Set where a call is run as a loop of its own, by another agent: then `run` is never called. Pure. */
  opens?(input: Input): OpenedScope;
  /** Of such a tool: the ids of the agents that it may open. */
  readonly agents?: readonly number[];
  run(input: Input, context: ToolContext): Promise<ToolReturn>;
}
