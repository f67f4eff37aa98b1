import type { JsonObject, JsonValue } from '#libs/kernel';
import type { InputReader } from '#libs/tooling';
import { APPLICATOR_RULES } from './applicator-rules.js';
import { boundSchema } from './bound-schema.js';
import { CONTAINER_RULES } from './container-rules.js';
import { inWords, refused, type Faults } from './faults.js';
import type { Rule, RuleContext } from './json-schema-rule.js';
import { SCALAR_RULES } from './scalar-rules.js';
import { referredTo } from './subschemas.js';
import { TooManySteps, ValidationSteps } from './validation-steps.js';

/** Keywords, names and items that are looked at for the arguments of one call: about 10 ms, at most 20. */
const MAX_STEPS = 150_000;
/** Schemas within schemas, references followed: the call stack holds several times as many. */
const MAX_DEPTH = 500;

/**
 * Patterns are left to the server, since they may take exponential time, and so is all that depends on them; items that
 * repeat, since to compare all of them takes quadratic time; and what other keywords leave unevaluated.
 */
const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries({ ...SCALAR_RULES, ...CONTAINER_RULES, ...APPLICATOR_RULES }),
);

/**
 * Makes the reader of a schema of a tenant or a tool server. The schema is interpreted rather than compiled, in a bounded
 * number of steps, so that neither the schema nor the arguments of a model hold the process up. The keywords of all drafts
 * from 4 to 2020-12 count, and the first fault is named. Throws where the schema is none or too large (`boundSchema`).
 */
export function compileForeignSchema(schema: JsonObject): InputReader {
  boundSchema(schema);
  return (input) => {
    const faults = validate(schema, input);
    if (faults === null) return { success: true, data: input };
    return {
      success: false,
      reasons: faults.map(inWords),
    };
  };
}

function validate(root: JsonObject, input: JsonObject): Faults {
  const steps = new ValidationSteps(MAX_STEPS, MAX_DEPTH);
  const targets = new Map<string, JsonValue>();
  const target = (reference: string): JsonValue => {
    const known = targets.get(reference) ?? referredTo(reference, root) ?? true;
    targets.set(reference, known);
    return known;
  };
  const check = (schema: JsonValue, value: JsonValue): Faults => {
    if (typeof schema === 'boolean') {
      steps.take(1);
      return schema ? null : refused('boolean schema is false');
    }
    return steps.within(() => checkBy(schema as JsonObject, value, { check, steps, target }));
  };
  try {
    return check(root, input);
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return refused('must be smaller: there are too many values to be checked by the schema');
  }
}

function checkBy(schema: JsonObject, value: JsonValue, checking: Omit<RuleContext, 'schema'>): Faults {
  const context: RuleContext = { ...checking, schema };
  const { type } = schema;
  // A value of the wrong type has no other fault worth naming.
  const ofType = type === undefined ? null : (RULES.get('type')?.(type, value, context) ?? null);
  if (ofType !== null) return ofType;
  for (const keyword of checking.steps.namesOf(schema)) {
    checking.steps.take(1);
    if (keyword === 'type') continue;
    const wanted = schema[keyword] as JsonValue;
    const faults = RULES.get(keyword)?.(wanted, value, context) ?? null;
    if (faults !== null) return faults;
  }
  return null;
}
