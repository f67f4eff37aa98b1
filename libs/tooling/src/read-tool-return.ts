import { AppError, isJsonObject, toStorableJson, toStorableText, utf8Length } from '#libs/kernel';
import type { JsonObject, JsonValue } from '#libs/kernel';
import { z } from 'zod';
import { toBoundedJson } from './bounded-json.js';
import type { KeptData, StagedChange } from './tool-definition.js';
import { sourcesSchema, type Sources } from './sources.js';
import { describeOutputs, toolOutputSchema, type Delivery } from './tool-output.js';

const toolReturnSchema = z.object({
  result: z.object({ status: z.enum(['success', 'error']), result: z.looseObject({}) }),
  outputs: z.array(toolOutputSchema).optional(),
  bake: z.unknown().optional(),
  staged: z.array(z.object({ kind: z.string(), data: z.looseObject({}) })).optional(),
  sources: sourcesSchema.optional(),
});

/** A tool's return value, safe to store and to show. */
export interface ToolReading {
  /** Text for the model: the texts of the outputs if there are any, else the result as JSON (S2-21, 3.D-11). */
  readonly output: string;
  /** The result for the audit. */
  readonly result: JsonValue;
  readonly deliveries: readonly Delivery[];
  readonly bake: JsonObject | undefined;
  readonly staged: readonly StagedChange[];
  readonly sources: Sources | undefined;
}

/**
 * Validates a tool's return value, which may be anything: 100 MB, cycles, NULs. Output and result have at most
 * `maxBytes` bytes each. Throws if the value is no `ToolReturn`, or if baked or staged data or sources are too large,
 * cyclic or undeclared: truncating those would lose data silently.
 */
export function readToolReturn(returned: unknown, maxBytes: number, keeps: KeptData = NOTHING): ToolReading {
  const { result, outputs = [], bake, staged = [], sources } = toolReturnSchema.parse(returned);
  const bounded = toBoundedJson({ status: result.status, result: result.result }, maxBytes);
  const described = describeOutputs(outputs, maxBytes);
  return {
    output: outputs.length === 0 ? JSON.stringify(bounded) : described.text,
    result: bounded,
    deliveries: described.deliveries,
    bake: bake === undefined ? undefined : readBaked(bake, keeps),
    staged: toStorableChanges(staged, keeps),
    sources: sources && sourcesSchema.parse(toKeptJson(sources, 'sources')),
  };
}

/**
 * Maximum bytes of JSON for a call's baked data, and likewise for its staged changes and sources. Excess is an error,
 * not truncated.
 */
const MAX_KEPT_BYTES = 1_048_576;

/** Tools without a domain may keep nothing. */
const NOTHING: KeptData = {
  baked: z.strictObject({}, 'a tool without a domain bakes nothing'),
  staged: new Map(),
};

function readBaked(bake: unknown, { baked }: KeptData): JsonObject {
  const parsed = baked.safeParse(toKeptJson(bake, 'bake'));
  if (parsed.success) return parsed.data;
  throw undeclared(`what it bakes is not declared: ${describeFaults(parsed.error)}`);
}

function describeFaults({ issues }: z.ZodError): string {
  const faults = issues.map((issue) => {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : issue.path;
    return `${names.join('.')}: ${issue.message}`;
  });
  return faults.join('; ');
}

function undeclared(message: string): AppError {
  return new AppError({ code: 'TOOL_RETURN_UNDECLARED', kind: 'internal', message });
}

function toStorableChanges(
  staged: readonly { kind: string; data: object }[],
  { staged: declared }: KeptData,
): StagedChange[] {
  const texts = staged.map(({ kind, data }) => ({ kind: toStorableText(kind), json: toJsonText(data) }));
  assertKept(texts.map(({ json }) => json).join(''), 'staged');
  return texts.map(({ kind, json }) => {
    const data = toStorableJson(JSON.parse(json));
    const change = { kind, data: isJsonObject(data) ? data : {} };
    assertDeclared(change, declared.get(kind));
    return change;
  });
}

/** Validates by the applier's schema at once; otherwise the error would only appear when the execution settles. */
function assertDeclared({ kind, data }: StagedChange, schema: z.ZodType | undefined): void {
  if (schema === undefined) throw undeclared(`its domain applies no staged change "${kind}"`);
  const parsed = schema.safeParse(data);
  if (!parsed.success)
    throw undeclared(`its staged change "${kind}" is not as declared: ${describeFaults(parsed.error)}`);
}

function toKeptJson(value: unknown, what: string): JsonValue {
  const json = toJsonText(value);
  assertKept(json, what);
  return toStorableJson(JSON.parse(json));
}

/** Throws for cycles and for values without JSON. */
function toJsonText(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item));
}

function assertKept(json: string, what: string): void {
  if (utf8Length(json) > MAX_KEPT_BYTES)
    throw new RangeError(`${what} has more than ${MAX_KEPT_BYTES} bytes`);
}
