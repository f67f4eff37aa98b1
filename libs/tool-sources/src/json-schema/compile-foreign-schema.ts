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

/** Maximum keywords, names and items visited per call: about 10 ms, at most 20. */
const MAX_STEPS = 150_000;
/** Maximum nesting including references; the call stack has room for several times as many. */
const MAX_DEPTH = 500;

/**
 * Not validated, but left to the server: patterns, which may take exponential time, and keywords that depend on them;
 * `uniqueItems`, which takes quadratic time; and `unevaluated…` keywords.
 */
const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries({ ...SCALAR_RULES, ...CONTAINER_RULES, ...APPLICATOR_RULES }),
);

/**
 * Makes the reader of an untrusted schema. The schema is interpreted in a bounded number of steps, so that neither the
 * schema nor a model's arguments can block the process. Supports the keywords of drafts 4 to 2020-12 and names the
 * first fault. Throws if the schema is invalid or too large (`boundSchema`).
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
  // For a value of the wrong type, other faults are not worth reporting.
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
