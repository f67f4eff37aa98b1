import type { JsonObject } from '#libs/kernel';
import { jsonObjectSchema } from '../json-schemas.js';
import type { InvalidModelParameterError } from '../parameters/invalid-model-parameter-error.js';
import type { ParameterRules } from '../parameters/parameter-rules.js';
import { LOOP_PARAMETER_NAMES, loopParametersSchema, mergeOptions } from './loop-parameters.js';

/** Validation error at a path in options. */
export interface OptionFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Keys of options that these model rules or the loop use. */
export function optionNames(rules: ParameterRules): readonly string[] {
  return [...new Set([...LOOP_PARAMETER_NAMES, ...rules.names, 'budget', 'memory'])];
}

/**
 * Free-form parameters. Those for the loop are validated here (3.F, S1-57); `findModelFaults` validates those for the
 * model, where its provider is known.
 */
export const optionsSchema = jsonObjectSchema.superRefine((options, context) => {
  for (const { path, message } of loopParametersSchema.safeParse(options).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: [...path], message, input: options });
  }
});

/**
 * Faults that the provider's request reader finds in a layer of options. Each parameter is validated alone; the response
 * format is validated over the layers `below`, since a schema and its request may be in different layers.
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
