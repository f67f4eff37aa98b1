import type { z } from 'zod';
import type { JsonObject } from '#libs/kernel';
import type { ParameterOptions } from './check-parameter-options.js';
import type { FunctionCallResult } from './function-call-result.js';
import type { ToolOutput } from './tool-output.js';

/**
 * What repeating a call would do. `read`: nothing. `idempotent`: the same, given the same call key. `unsafe`: perhaps
 * a second side effect; such a call is never repeated after a crash.
 */
export type ToolEffect = 'read' | 'idempotent' | 'unsafe';

/**
 * What happens when nobody knows whether a call took effect. `halt`: the execution fails. `ask`: a person says whether it
 * happened. `inform`: the model is told to find out, and an equal call is not run again.
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
}

export interface ToolContext {
  readonly tenantId: string;
  readonly executionId: string;
  /** The same for every attempt at the same call: pass it on as an idempotency key. */
  readonly callKey: string;
  readonly signal: AbortSignal;
}

/** What the answer of a tool may leave behind. */
export interface KeptData {
  readonly baked: z.ZodType<JsonObject>;
  readonly stagedKinds: readonly string[];
}

export interface ToolDefinition<Input = unknown> {
  /** What the model calls, `[a-zA-Z0-9_-]{1,64}`. */
  readonly name: string;
  /** For error texts, e.g. `save order draft` (S2-37). */
  readonly label: string;
  /** Written for the model. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** Every field required, optional ones nullable (S2-10). */
  readonly input: z.ZodType<Input>;
  /** What text parameters of `input` may be, by their names (S0-36); the model is told. */
  readonly parameterOptions?: ParameterOptions;
  /** Milliseconds; the call is given up and counts as failed. */
  readonly timeoutMs: number;
  /** Bytes of what the model reads and the audit keeps, 1 024 … 1 048 576; by default 65 536. The rest is cut off. */
  readonly maxOutputBytes?: number;
  /** By default `halt`. */
  readonly onUnknown?: OnUnknown;
  /** By default `never`. */
  readonly approval?: ApprovalRule<Input>;
  /** Set by the tool's domain, never by the tool; without it nothing may be baked or staged. */
  readonly keeps?: KeptData;
  run(input: Input, context: ToolContext): Promise<ToolReturn>;
}

/** Keeps the input's type while a tool is defined, and forgets it so that tools of all kinds fit one catalogue. */
export function defineTool<Input>(definition: ToolDefinition<Input>): ToolDefinition {
  return definition as unknown as ToolDefinition;
}
