import { z } from 'zod';

const named = {
  name: z.string().regex(/^[a-z_]+$/),
  label: z.string().min(1),
  help: z.string().min(1),
  required: z.boolean(),
};

const parameterSchema = z.discriminatedUnion('type', [
  /** `scope`: capabilities that a model must have to be selectable. */
  z.strictObject({ ...named, type: z.literal('model-selector'), scope: z.string().min(1) }),
  z.strictObject({ ...named, type: z.literal('array[tools]') }),
  z.strictObject({
    ...named,
    type: z.literal('string'),
    /** Present if a user interface may offer to generate the text with a model. */
    auto_generate: z.strictObject({ type: z.literal('prompt_instruction') }).optional(),
  }),
  z.strictObject({ ...named, type: z.literal('any') }),
  z
    .strictObject({ ...named, type: z.literal('number'), default: z.int(), min: z.int(), max: z.int() })
    .refine(
      ({ default: value, min, max }) => min <= value && value <= max,
      'the default must lie within the range',
    ),
  z.strictObject({ ...named, type: z.literal('boolean'), default: z.boolean() }),
]);

/** A strategy as `GET /api/strategies/` shows it. */
export const strategyDescriptionSchema = z.strictObject({
  name: z.enum(['gpt5_function_calling', 'gpt5_react']),
  label: z.string().min(1),
  parameters: z
    .array(parameterSchema)
    .nonempty()
    .refine(haveDistinctNames, 'two parameters share a name')
    .readonly(),
});
export type StrategyDescription = z.infer<typeof strategyDescriptionSchema>;

function haveDistinctNames(parameters: readonly { readonly name: string }[]): boolean {
  return new Set(parameters.map(({ name }) => name)).size === parameters.length;
}
