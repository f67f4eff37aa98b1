import type { z } from 'zod';
import type { ToolContext } from './tool-context.js';

/**
 * Effect of repeating a call after a crash. `read`: none. `idempotent`: none, given the same idempotency key. `unsafe`: a
 * second side effect; such a call is never repeated.
 */
export type ToolEffect = 'read' | 'idempotent' | 'unsafe';

/**
 * Handling of an `unsafe` call that was interrupted, so that its outcome is unknown. `halt`: the execution fails. `ask`: a
 * person decides whether it took effect. `inform`: the model is asked to find out, and an equal call is not run again.
 */
export type OnUnknown = 'halt' | 'ask' | 'inform';

/** Calls that wait for a person's approval. A function must be pure, since it runs again after a crash. */
export type Approval<Input> = 'never' | 'always' | ((input: Input) => boolean);

export interface ToolOptions<Schema extends z.ZodObject> {
  /** Name that the model calls: 1–64 of the characters `a-z A-Z 0-9 _ -`, unique in the project. */
  readonly name: string;
  /** Purpose of the tool and when to call it, for the model. */
  readonly description: string;
  /** Schema of the arguments, a zod object; the model reads the descriptions of its fields. */
  readonly input: Schema;
  readonly effect: ToolEffect;
  /** Default `never`. */
  readonly approval?: Approval<z.output<Schema>>;
  /** Default `halt`. */
  readonly onUnknown?: OnUnknown;
  /** True if third parties write the answer, e.g. a page: the model reads it marked as untrusted data. Default false. */
  readonly isForeign?: boolean;
  readonly limits?: {
    /** Milliseconds until the call is aborted and counts as failed, 1–3 600 000; default 30 000. */
    readonly timeoutMs?: number;
    /** Maximum bytes of the answer, 1 024–1 048 576; default 65 536. The excess is cut off. */
    readonly maxOutputBytes?: number;
  };
  /**
   * Carries out the call. The model reads the answer as JSON; a text, or an object with a `message`, reads best.
   * @throws any error: the model reads that the call has failed, and never the message
   */
  run(input: z.output<Schema>, context: ToolContext): unknown;
}

const KIND = 'capstan/tool';

/** A tool of a project; create it by {@link defineTool}. */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> extends ToolOptions<Schema> {
  readonly kind: typeof KIND;
}

/** A tool with any input. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the input of a function is contravariant
export type AnyTool = Tool<any>;

/**
 * Defines a tool. Export it from a file of the project's `tools` folder.
 * @example
 * export const weather = defineTool({
 *   name: 'weather',
 *   description: 'Answers the current temperature of a city, in °C.',
 *   input: z.object({ city: z.string().describe('Name of the city, in English.') }),
 *   effect: 'read',
 *   run: async ({ city }, { fetch, signal }) => (await fetch(`https://weather.example/${city}`, { signal })).json(),
 * });
 */
export function defineTool<Schema extends z.ZodObject>(options: ToolOptions<Schema>): Tool<Schema> {
  return { ...options, kind: KIND };
}

/** True if the value was made by {@link defineTool}, of this copy of the kit or another one. */
export function isTool(value: unknown): value is AnyTool {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === KIND;
}
