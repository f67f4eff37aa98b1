import type { Approval, OnUnknown, ToolEffect } from '#libs/kit';
import type { JsonObject } from '#libs/kernel';
import type { z } from 'zod';
import type { ParameterOptions } from './parameter-options.js';
import type { FunctionCallResult } from './function-call-result.js';
import type { InputReader } from './input-reader.js';
import type { ToolContext } from './tool-context.js';
import type { OpenedScope } from './opened-scope.js';
import type { Sources } from './sources.js';
import type { ToolOutput } from './tool-output.js';

/** A change of the domain's data that becomes visible in the same transaction as the answer (S4-20). */
export interface StagedChange {
  /** Selects the applier, e.g. `parcel.booked`. */
  readonly kind: string;
  readonly data: JsonObject;
}

export interface ToolReturn {
  readonly result: FunctionCallResult;
  /** Texts, links, images and files. If there are any, the model reads their texts instead of `result` (3.D-11). */
  readonly outputs?: readonly ToolOutput[];
  /** Stored in the `data` of the next assistant message (S2-24, S2-28). */
  readonly bake?: JsonObject;
  readonly staged?: readonly StagedChange[];
  /** Document passages that the tool gave the model; the answer cites them. */
  readonly sources?: Sources;
}

/** Schemas of the data that a tool's return may persist. */
export interface KeptData {
  readonly baked: z.ZodType<JsonObject>;
  /** Schemas of staged changes, by kind. */
  readonly staged: ReadonlyMap<string, z.ZodType>;
}

/**
 * A tool of any origin: JSON Schema, effect, limits and approval rule. Write it as a plain object, or use `defineTool`
 * with a zod input schema.
 */
export interface ToolDefinition<Input = unknown> {
  /** Name that the model calls, `[a-zA-Z0-9_-]{1,64}`. */
  readonly name: string;
  /** Name for error texts, e.g. `book parcel` (S2-37). */
  readonly label: string;
  /** Description for the model. */
  readonly description: string;
  readonly effect: ToolEffect;
  /**
   * JSON Schema of an object (draft 7, or 2020-12 if `$schema` says so). Providers enforce it if it is strict (S2-10):
   * every field required, none extra, optional ones nullable.
   */
  readonly inputSchema: JsonObject;
  /** Validates arguments and converts them to the input of `run`. Default: validate against `inputSchema`. */
  readonly readInput?: InputReader<Input>;
  /** Allowed values of text parameters, by parameter name (S0-36); the model reads them. */
  readonly parameterOptions?: ParameterOptions;
  /** Milliseconds until the call is aborted and counts as failed. */
  readonly timeoutMs: number;
  /** Maximum bytes of the output for the model and the audit, 1 024 … 1 048 576; default 65 536. Excess is cut off. */
  readonly maxOutputBytes?: number;
  /** Default `halt`. */
  readonly onUnknown?: OnUnknown;
  /** True if third parties write its answers: the model reads them marked as untrusted data. Default false. */
  readonly isForeign?: boolean;
  /** Default `never`. */
  readonly approval?: Approval<Input>;
  /**
   * Format of the model's error text for arguments that are not JSON: a `FunctionCallResult` (S2-34), or the plain text
   * of S0-34. Default `text`; a domain sets `result` for all of its tools.
   */
  readonly answersWith?: 'result' | 'text';
  /** Set by the tool's domain, never by the tool; without it the tool may bake and stage nothing. */
  readonly keeps?: KeptData;
  /** Set for tools that run another agent in a loop of its own; `run` is then never called. Pure. */
  opens?(input: Input): OpenedScope;
  /** Ids of the agents that `opens` may select. */
  readonly agents?: readonly number[];
  run(input: Input, context: ToolContext): Promise<ToolReturn>;
}
