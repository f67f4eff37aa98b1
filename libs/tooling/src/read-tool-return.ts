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

/** What a tool returned, safe to store and to show. */
export interface ToolReading {
  /** What the model reads: the texts of the outputs where there are any, else the result as JSON (S2-21, 3.D-11). */
  readonly output: string;
  /** The result for the audit. */
  readonly result: JsonValue;
  readonly deliveries: readonly Delivery[];
  /** Absent as `undefined`. */
  readonly bake: JsonObject | undefined;
  readonly staged: readonly StagedChange[];
  /** Absent as `undefined`. */
  readonly sources: Sources | undefined;
}

/**
 * Reads what a tool returned, which may be anything: a hundred megabytes, cycles, NULs. Output and result have at most
 * `maxBytes` bytes each. Throws where the value has not the shape of a `ToolReturn`, or where what has to be kept whole
 * is too large, has cycles, or is not what `keeps` allows: dropping it would lose data in silence.
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

/** Bytes of JSON of all that a call bakes, and of all that it stages: nothing of these may be cut off. */
const MAX_KEPT_BYTES = 1_048_576;

/** Of a tool without a domain. */
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

/** As its applier will read it: what that refuses would be known only when the execution settles. */
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

/** Throws for what has no end, since it has cycles, and for what is no JSON at all. */
function toJsonText(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item));
}

function assertKept(json: string, what: string): void {
  if (utf8Length(json) > MAX_KEPT_BYTES)
    throw new RangeError(`${what} has more than ${MAX_KEPT_BYTES} bytes`);
}
