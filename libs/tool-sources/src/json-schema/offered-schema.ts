import { AppError, isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { cutRecursion } from './cut-recursion.js';
import { mergeForms } from './merge-forms.js';
import { mapSubschemas } from './subschemas.js';
import { TooManySteps } from './validation-steps.js';

/** A schema as models are given it, and what could not be said in it. */
export interface OfferedSchema {
  readonly schema: JsonObject;
  /** Why a model sees less than the schema says; each continues "its input schema …". */
  readonly losses: readonly string[];
}

/**
 * A bounded schema of arguments in the words that the servers of all models take: an object of named fields at the root,
 * nothing that refers to itself, limits as numbers. Arguments are still checked by the schema itself. Throws an
 * `AppError` where that would be far larger than the schema.
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

/** Draft 4 says by a flag that a limit itself is not allowed. */
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
