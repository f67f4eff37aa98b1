import type { JsonObject, JsonValue } from '#libs/kernel';
import type { z } from 'zod';
import { defaultStep } from './default-step.js';
import { findReferenceFaults } from './find-reference-faults.js';
import type { PipelineFault } from './pipeline-fault.js';
import { PIPELINE_KEYS, pipelineSchema, type Pipeline } from './pipeline.schema.js';

export type PipelineReading =
  | { readonly kind: 'read'; readonly pipeline: Pipeline }
  | { readonly kind: 'faults'; readonly faults: readonly PipelineFault[] };

/**
 * Reads the pipeline from the `config` of an agent of the type `CUSTOM`; other keys are ignored. A string in `steps`
 * names a default step. Pure.
 *
 * @param explain messages for errors that the schema leaves unexplained
 */
export function readPipeline(config: JsonObject, explain?: z.core.$ZodErrorMap): PipelineReading {
  const { steps } = config;
  const written: readonly JsonValue[] = Array.isArray(steps) ? steps : [];
  const whole = { ...config, ...(Array.isArray(steps) && { steps: written.map(withDefaults) }) };
  const read = pipelineSchema.safeParse(whole, explain && { error: explain });
  if (!read.success)
    return { kind: 'faults', faults: read.error.issues.flatMap((issue) => toFaults(issue, written)) };
  const faults = findReferenceFaults(read.data);
  return faults.length === 0 ? { kind: 'read', pipeline: read.data } : { kind: 'faults', faults };
}

/** Removes the keys that describe a pipeline. */
export function withoutPipeline(options: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(options).filter(([key]) => !PIPELINE_KEYS.includes(key)));
}

function withDefaults(step: JsonValue, index: number, steps: readonly JsonValue[]): JsonValue {
  return typeof step === 'string' ? defaultStep(step, steps.slice(0, index).flatMap(nameOf)) : step;
}

function nameOf(step: JsonValue): string[] {
  if (typeof step === 'string') return [step];
  const name = typeof step === 'object' && step !== null && 'name' in step ? step['name'] : undefined;
  return typeof name === 'string' ? [name] : [];
}

/** Maps a schema issue to faults. Any issue of a step written as a name is a fault of the name. */
function toFaults(issue: z.core.$ZodIssue, steps: readonly JsonValue[]): PipelineFault[] {
  const { path, message } = issue;
  const [field, index] = path;
  if (field === 'steps' && typeof steps[Number(index)] === 'string')
    return [{ path: path.slice(0, 2), message }];
  if (issue.code !== 'unrecognized_keys') return [{ path, message }];
  return issue.keys.map((key) => ({ path: [...path, key], message }));
}
