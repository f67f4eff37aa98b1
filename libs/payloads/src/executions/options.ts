import type { JsonObject } from '#libs/kernel';
import { jsonObjectSchema } from '../json-schemas.js';
import type { InvalidModelParameterError } from '../responses/invalid-model-parameter-error.js';
import { findParameterFaults, MODEL_PARAMETER_NAMES } from '../responses/read-model-parameters.js';
import { LOOP_PARAMETER_NAMES, loopParametersSchema, mergeOptions } from './loop-parameters.js';

/** Something that is wrong with options, at which place in them. */
export interface OptionFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The keys of options that mean something. */
export const OPTION_NAMES: readonly string[] = [
  ...new Set([...LOOP_PARAMETER_NAMES, ...MODEL_PARAMETER_NAMES, 'budget']),
];

/** Parameters of any kind, of which those that are known must be usable by themselves (3.F, S1-57). */
export const optionsSchema = jsonObjectSchema.superRefine((options, context) => {
  for (const { path, message } of findOwnFaults(options)) {
    context.addIssue({ code: 'custom', path: [...path], message, input: options });
  }
});

/**
 * What is wrong with the format that a layer of options asks for, once it lies over `below`: the schema of an answer and the
 * wish for it may stand in different layers. Found by the reader that builds the request.
 */
export function findFormatFaults(layer: JsonObject, below: readonly JsonObject[]): OptionFault[] {
  if (!('response_format' in layer) && !('json_schema' in layer)) return [];
  return findParameterFaults(mergeOptions(...below, layer))
    .filter(isOfFormat)
    .map(toFault);
}

function findOwnFaults(options: JsonObject): OptionFault[] {
  const loop = loopParametersSchema.safeParse(options).error?.issues ?? [];
  const told = new Set(loop.map((issue) => String(issue.path[0])));
  const model = findParameterFaults(options).filter((fault) => !isOfFormat(fault) && !told.has(fault.field));
  return [...loop, ...model.map(toFault)];
}

function isOfFormat({ field }: { readonly field: string }): boolean {
  return field.split('.')[0] === 'json_schema';
}

function toFault({ field, message, allowed }: InvalidModelParameterError): OptionFault {
  const choice = allowed === undefined ? '' : `; must be one of ${allowed.join(', ')}`;
  return { path: field.split('.'), message: message + choice };
}
