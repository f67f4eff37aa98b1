import { isJsonObject, toStorableJson, type JsonValue } from '#libs/kernel';
import { z } from 'zod';
import { toBoundedJson } from './bounded-json.js';
import type { StagedChange } from './tool-definition.js';
import { describeOutputs, toolOutputSchema, type Delivery } from './tool-output.js';

const toolReturnSchema = z.object({
  result: z.object({ status: z.enum(['success', 'error']), result: z.looseObject({}) }),
  outputs: z.array(toolOutputSchema).optional(),
  bake: z.unknown().optional(),
  staged: z.array(z.object({ kind: z.string(), data: z.looseObject({}) })).optional(),
});

/** What a tool returned, safe to store and to show. */
export interface ToolReading {
  /** What the model reads: the texts of the outputs where there are any, else the result as JSON (S2-21, 3.D-11). */
  readonly output: string;
  /** The result for the audit. */
  readonly result: JsonValue;
  readonly deliveries: readonly Delivery[];
  /** Absent as `undefined`; to be read by whoever knows what may be baked. */
  readonly bake: unknown;
  readonly staged: readonly StagedChange[];
}

/**
 * Reads what a tool returned, which may be anything: a hundred megabytes, cycles, NULs. Output and result have at most
 * `maxBytes` bytes each. Throws where the value has not the shape of a `ToolReturn`: then the tool has failed.
 */
export function readToolReturn(returned: unknown, maxBytes: number): ToolReading {
  const { result, outputs = [], bake, staged = [] } = toolReturnSchema.parse(returned);
  const bounded = toBoundedJson({ status: result.status, result: result.result }, maxBytes);
  const described = describeOutputs(outputs, maxBytes);
  return {
    output: outputs.length === 0 ? JSON.stringify(bounded) : described.text,
    result: bounded,
    deliveries: described.deliveries,
    bake,
    staged: staged.map(toStorableChange),
  };
}

function toStorableChange({ kind, data }: { kind: string; data: Record<string, unknown> }): StagedChange {
  const storable = toStorableJson(data);
  return { kind, data: isJsonObject(storable) ? storable : {} };
}
