import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { faultsAt, refused, type Faults } from './faults.js';
import type { Rule, RuleContext } from './json-schema-rule.js';

/** Rules of keywords for objects and lists. */
export const CONTAINER_RULES: Readonly<Record<string, Rule>> = {
  properties: ofObject((wanted, value, { check, steps }) => {
    const schemas = wanted as JsonObject;
    for (const name of steps.namesOf(schemas)) {
      steps.take(1);
      if (!Object.hasOwn(value, name)) continue;
      const faults = faultsAt(name, check(partOf(schemas, name), partOf(value, name)));
      if (faults !== null) return faults;
    }
    return null;
  }),
  required: ofObject((wanted, value, { steps }) => missing(wanted as readonly string[], value, steps)),
  additionalProperties: ofObject((wanted, value, { check, steps, schema }) => {
    // Names allowed by patterns are unknown, since patterns are not evaluated.
    if (schema['patternProperties'] !== undefined) return null;
    const known = isJsonObject(schema['properties']) ? schema['properties'] : {};
    for (const name of steps.namesOf(value)) {
      steps.take(1);
      if (Object.hasOwn(known, name)) continue;
      if (wanted === false) return refused(`must NOT have additional properties: ${name}`);
      const faults = faultsAt(name, check(wanted, partOf(value, name)));
      if (faults !== null) return faults;
    }
    return null;
  }),
  propertyNames: ofObject((wanted, value, { check, steps }) => {
    for (const name of steps.namesOf(value)) {
      steps.take(1);
      const faults = check(wanted, name);
      if (faults !== null) return [...faults, ...(refused(`property name must be valid: ${name}`) ?? [])];
    }
    return null;
  }),
  minProperties: ofObject((wanted, value, { steps }) =>
    steps.namesOf(value).length < countOf(wanted)
      ? refused(`must NOT have fewer than ${countOf(wanted)} properties`)
      : null,
  ),
  maxProperties: ofObject((wanted, value, { steps }) =>
    steps.namesOf(value).length > countOf(wanted)
      ? refused(`must NOT have more than ${countOf(wanted)} properties`)
      : null,
  ),
  dependentRequired: ofObject(dependencies),
  dependentSchemas: ofObject(dependencies),
  dependencies: ofObject(dependencies),
  items: ofList((wanted, value, { check, steps, schema }) => {
    const tuple = Array.isArray(wanted) ? (wanted as readonly JsonValue[]) : null;
    if (tuple !== null) return checkTuple(tuple, value, check);
    const { prefixItems } = schema;
    return checkFrom(Array.isArray(prefixItems) ? prefixItems.length : 0, wanted, value, { check, steps });
  }),
  prefixItems: ofList((wanted, value, { check }) => checkTuple(wanted as readonly JsonValue[], value, check)),
  additionalItems: ofList((wanted, value, context) => {
    const { items } = context.schema;
    return Array.isArray(items) ? checkFrom(items.length, wanted, value, context) : null;
  }),
  minItems: ofList((wanted, value) =>
    value.length < countOf(wanted) ? refused(`must NOT have fewer than ${countOf(wanted)} items`) : null,
  ),
  maxItems: ofList((wanted, value) =>
    value.length > countOf(wanted) ? refused(`must NOT have more than ${countOf(wanted)} items`) : null,
  ),
  contains: ofList((wanted, value, { check, schema }) => {
    const { minContains = 1, maxContains } = schema;
    const found = value.filter((item) => check(wanted, item) === null).length;
    if (found < countOf(minContains))
      return refused(`must contain at least ${countOf(minContains)} valid item(s)`);
    return maxContains !== undefined && found > countOf(maxContains)
      ? refused(`must contain at most ${countOf(maxContains)} valid item(s)`)
      : null;
  }),
};

type Checking = Pick<RuleContext, 'check' | 'steps'>;

function ofObject(rule: (wanted: JsonValue, value: JsonObject, context: RuleContext) => Faults): Rule {
  return (wanted, value, context) => (isJsonObject(value) ? rule(wanted, value, context) : null);
}

function ofList(
  rule: (wanted: JsonValue, value: readonly JsonValue[], context: RuleContext) => Faults,
): Rule {
  return (wanted, value, context) =>
    Array.isArray(value) ? rule(wanted, value as readonly JsonValue[], context) : null;
}

function countOf(wanted: JsonValue): number {
  return typeof wanted === 'number' ? wanted : 0;
}

function partOf(value: JsonObject, name: string): JsonValue {
  return value[name] ?? null;
}

function missing(names: readonly string[], value: JsonObject, steps: Checking['steps']): Faults {
  steps.take(names.length);
  const absent = names.find((name) => !Object.hasOwn(value, name));
  return absent === undefined ? null : refused(`must have required property '${absent}'`);
}

function dependencies(wanted: JsonValue, value: JsonObject, { check, steps }: RuleContext): Faults {
  const all = wanted as JsonObject;
  for (const name of steps.namesOf(all)) {
    steps.take(1);
    if (!Object.hasOwn(value, name)) continue;
    const needed = partOf(all, name);
    const faults = Array.isArray(needed)
      ? missing(needed as readonly string[], value, steps)
      : check(needed, value);
    if (faults !== null) return faults;
  }
  return null;
}

function checkTuple(
  schemas: readonly JsonValue[],
  value: readonly JsonValue[],
  check: Checking['check'],
): Faults {
  const length = Math.min(schemas.length, value.length);
  for (let at = 0; at < length; at += 1) {
    const schema = schemas[at] ?? true;
    const faults = faultsAt(at, check(schema, value[at] ?? null));
    if (faults !== null) return faults;
  }
  return null;
}

function checkFrom(
  from: number,
  schema: JsonValue,
  value: readonly JsonValue[],
  { check, steps }: Checking,
): Faults {
  if (schema === false && value.length > from) return refused(`must NOT have more than ${from} items`);
  for (let at = from; at < value.length; at += 1) {
    steps.take(1);
    const faults = faultsAt(at, check(schema, value[at] ?? null));
    if (faults !== null) return faults;
  }
  return null;
}
