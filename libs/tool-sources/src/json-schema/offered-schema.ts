import { AppError, isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { cutRecursion } from './cut-recursion.js';
import { mergeForms } from './merge-forms.js';
import { mapSubschemas } from './subschemas.js';
import { TooManySteps } from './validation-steps.js';

/** A schema as shown to models, with its simplifications. */
export interface OfferedSchema {
  readonly schema: JsonObject;
  /** Simplifications of the schema; each one continues the sentence "its input schema …". */
  readonly losses: readonly string[];
}

/**
 * Converts a bounded schema to the subset that all model servers accept: an object with named fields at the root, no
 * recursion, numeric limits. Arguments are still validated by the original schema. Throws an `AppError` if the result
 * would be far larger than the schema.
 */
export function toOfferedSchema(schema: JsonObject): OfferedSchema {
  const merged = mergedForms(schema);
  const ended = cutRecursion(merged.schema);
  const properties = isJsonObject(ended['properties']) ? ended['properties'] : {};
  return { schema: limitsAsNumbers({ ...ended, type: 'object', properties }), losses: merged.losses };
}

function mergedForms(schema: JsonObject): ReturnType<typeof mergeForms> {
  try {
    return mergeForms(schema);
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    throw new AppError({
      code: 'TOOL_SCHEMA_INVALID',
      kind: 'internal',
      message: 'the input schema means too many fields when its parts and forms are put together',
      cause: error,
    });
  }
}

/** Draft 4 marks exclusive limits by a boolean. */
function limitsAsNumbers(schema: JsonObject): JsonObject {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...others } = mapSubschemas(
    schema,
    limitsAsNumbers,
  );
  return {
    ...others,
    ...limits('minimum', minimum, 'exclusiveMinimum', exclusiveMinimum),
    ...limits('maximum', maximum, 'exclusiveMaximum', exclusiveMaximum),
  };
}

function limits(
  inclusive: string,
  limit: JsonValue | undefined,
  exclusive: string,
  given: JsonValue | undefined,
): JsonObject {
  if (given === true) return limit === undefined ? {} : { [exclusive]: limit };
  return {
    ...(limit !== undefined && { [inclusive]: limit }),
    ...(typeof given === 'number' && { [exclusive]: given }),
  };
}
