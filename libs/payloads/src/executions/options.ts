import type { JsonObject } from '#libs/kernel';
import { jsonObjectSchema } from '../json-schemas.js';
import type { InvalidModelParameterError } from '../model-calls/invalid-model-parameter-error.js';
import type { ParameterRules } from '../model-calls/parameter-readers.js';
import { LOOP_PARAMETER_NAMES, loopParametersSchema, mergeOptions } from './loop-parameters.js';

/** Something that is wrong with options, at which place in them. */
export interface OptionFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The keys of options that mean something to a model call of these rules or to the loop. */
export function optionNames(rules: ParameterRules): readonly string[] {
  return [...new Set([...LOOP_PARAMETER_NAMES, ...rules.names, 'budget', 'memory'])];
}

/**
 * Parameters of any kind, of which those that steer the loop must be usable by themselves (3.F, S1-57). What the model's
 * provider takes is judged where the provider is known: `findModelFaults`.
 */
export const optionsSchema = jsonObjectSchema.superRefine((options, context) => {
  for (const { path, message } of loopParametersSchema.safeParse(options).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: [...path], message, input: options });
  }
});

/**
 * What a provider would refuse of a layer of options, by the reader that builds its requests: each parameter by itself, and
 * the format that the layer asks for once it lies over `below`, since a schema and the wish for it may stand in different
 * layers.
 */
export function findModelFaults(
  layer: JsonObject,
  below: readonly JsonObject[],
  rules: ParameterRules,
): OptionFault[] {
  const own = rules.findFaults(layer).filter((fault) => !isOfFormat(fault));
  const asksForFormat = 'response_format' in layer || 'json_schema' in layer;
  const format = asksForFormat ? rules.findFaults(mergeOptions(...below, layer)).filter(isOfFormat) : [];
  return [...own, ...format].map(toFault);
}

function isOfFormat({ field }: { readonly field: string }): boolean {
  return field.split('.')[0] === 'json_schema';
}

function toFault({ field, message, allowed }: InvalidModelParameterError): OptionFault {
  const choice = allowed === undefined ? '' : `; must be one of ${allowed.join(', ')}`;
  return { path: field.split('.'), message: message + choice };
}
