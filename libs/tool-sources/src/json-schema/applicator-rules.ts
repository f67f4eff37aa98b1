import type { JsonValue } from '#libs/kernel';
import { refused, type Fault, type Faults } from './faults.js';
import type { Rule, RuleContext } from './json-schema-rule.js';

/** Maximum faults of alternatives in one message, in total. */
const MAX_NAMED_FAULTS = 4;

/** Rules of keywords that apply other schemas. */
export const APPLICATOR_RULES: Readonly<Record<string, Rule>> = {
  $ref: (wanted, value, { check, target }) =>
    typeof wanted === 'string' ? check(target(wanted), value) : null,
  allOf: (wanted, value, { check }) => {
    for (const schema of wanted as readonly JsonValue[]) {
      const faults = check(schema, value);
      if (faults !== null) return faults;
    }
    return null;
  },
  anyOf: (wanted, value, context) => {
    const { matching, faults } = evaluate(wanted, value, context, 1);
    return matching > 0 ? null : refusedByAll(faults, 'must match a schema in anyOf');
  },
  oneOf: (wanted, value, context) => {
    const { matching, faults } = evaluate(wanted, value, context, 2);
    if (matching === 1) return null;
    const message = 'must match exactly one schema in oneOf';
    return matching === 0 ? refusedByAll(faults, message) : refused(message);
  },
  not: (wanted, value, { check }) => (check(wanted, value) === null ? refused('must NOT be valid') : null),
  if: (wanted, value, { check, schema }) => {
    const branch = check(wanted, value) === null ? 'then' : 'else';
    const chosen = schema[branch];
    return chosen === undefined ? null : check(chosen, value);
  },
};

/** Counts matching alternatives, up to `most`, and collects the faults of the others. */
function evaluate(
  alternatives: JsonValue,
  value: JsonValue,
  { check, steps }: RuleContext,
  most: number,
): { readonly matching: number; readonly faults: readonly Fault[] } {
  const named: Fault[] = [];
  let matching = 0;
  for (const schema of alternatives as readonly JsonValue[]) {
    const faults = check(schema, value);
    if (faults === null) matching += 1;
    else {
      steps.take(faults.length);
      named.push(...faults.slice(0, MAX_NAMED_FAULTS - named.length));
    }
    if (matching === most) break;
  }
  return { matching, faults: named };
}

function refusedByAll(faults: readonly Fault[], message: string): Faults {
  return [...faults, { path: '', message }];
}
