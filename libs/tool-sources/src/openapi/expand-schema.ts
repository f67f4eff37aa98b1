import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { Located } from './located.js';
import { entriesOf, itemsOf, under } from './located.js';
import { referenceIn, type References } from './references.js';
import { keptKeywords } from './schema-keywords.js';

/** Limits of an expansion. */
export interface Expansion {
  readonly references: References;
  /** Maximum levels of properties, items, references and parts; deeper schemas accept anything (3.I-12). */
  readonly depth: number;
  /** True to keep descriptions of nested schemas. */
  readonly isDescribed: boolean;
  /** True to keep all branches of the root's `oneOf` and `anyOf`, as `anyOf`; otherwise only the first. */
  readonly hasAllForms?: boolean;
  /** Remaining number of schemas. */
  readonly budget: { left: number };
}

/** The expanded schema exceeds its budget. */
export class SchemaTooLarge extends Error {
  override readonly name = 'SchemaTooLarge';
}

/** Number of `enum` values that count as one schema. */
const CHOICES_OF_ONE = 16;

type Written = Record<string, JsonValue>;

/**
 * Expands a schema of a description to self-contained JSON Schema: references resolved, `allOf` merged, `oneOf` and
 * `anyOf` reduced to the first branch (3.I-12) unless `hasAllForms` keeps them at the root, `readOnly` fields removed.
 * Throws a `DocumentFault` for an invalid schema and `SchemaTooLarge` beyond the budget.
 */
export function expandSchema(given: Located | null, expansion: Expansion): JsonObject {
  return given === null ? {} : expand(given, expansion, 0, expansion.hasAllForms === true);
}

function expand(given: Located, expansion: Expansion, level: number, isWhole: boolean): Written {
  expansion.budget.left -= 1;
  if (expansion.budget.left < 0) throw new SchemaTooLarge();
  if (level > expansion.depth) return {};
  const { references } = expansion;
  const at = references.follow(given);
  const { value } = at;
  if (!isJsonObject(value)) return {};
  const written = keptKeywords(value, level === 0 || expansion.isDescribed);
  const { enum: choices } = written;
  if (Array.isArray(choices)) expansion.budget.left -= Math.floor(choices.length / CHOICES_OF_ONE);
  const inner = (part: Located): Written => expand(part, expansion, level + 1, false);
  const same = (part: Located): Written => expand(part, expansion, level + 1, isWhole);
  writeParts(written, at, inner, references);
  for (const part of itemsOf(under(at, 'allOf'))) mergeInto(written, same(part));
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = itemsOf(under(at, keyword));
    const values = branches.filter((branch) => !isNull(references.follow(branch).value));
    const first = values[0] ?? branches[0];
    if (isWhole && values.length > 1) mergeInto(written, { anyOf: values.map(same) });
    else if (first !== undefined) mergeInto(written, same(first));
    if (values.length < branches.length) allowNull(written);
  }
  if (value['nullable'] === true) allowNull(written);
  // OpenAPI 3.1 allows a description beside `$ref`.
  if (referenceIn(given.value) !== null && isJsonObject(given.value) && level <= expansion.depth) {
    const { description } = given.value;
    if (typeof description === 'string' && (level === 0 || expansion.isDescribed))
      written['description'] = description;
  }
  return written;
}

function writeParts(
  written: Written,
  at: Located,
  inner: (part: Located) => Written,
  references: References,
): void {
  const properties = entriesOf(under(at, 'properties')).filter(([name, property]) => {
    const { value } = references.follow(property);
    // `__proto__` can only be an own property here, and validators would ignore it.
    return name !== '__proto__' && !(isJsonObject(value) && value['readOnly'] === true);
  });
  if (properties.length > 0)
    written['properties'] = Object.fromEntries(properties.map(([name, property]) => [name, inner(property)]));
  const names = new Set<JsonValue>(properties.map(([name]) => name));
  const required = itemsOf(under(at, 'required'))
    .map(({ value }) => value)
    .filter((name) => names.has(name));
  if (required.length > 0) written['required'] = [...new Set(required)];
  const items = under(at, 'items');
  if (isJsonObject(items.value)) written['items'] = inner({ ...items, value: items.value });
  const additional = under(at, 'additionalProperties');
  if (typeof additional.value === 'boolean') written['additionalProperties'] = additional.value;
  else if (isJsonObject(additional.value))
    written['additionalProperties'] = inner({ ...additional, value: additional.value });
  if (written['type'] === undefined && (properties.length > 0 || isJsonObject(additional.value)))
    written['type'] = 'object';
  if (written['type'] === undefined && isJsonObject(items.value)) written['type'] = 'array';
}

/** Keywords of the schema take precedence over those of its parts; `properties` and `required` are merged. */
function mergeInto(written: Written, part: Written): void {
  for (const [keyword, value] of Object.entries(part)) {
    const own = written[keyword];
    if (own === undefined) written[keyword] = value;
    else if (keyword === 'properties' && isJsonObject(own) && isJsonObject(value))
      written[keyword] = { ...value, ...own };
    else if (keyword === 'required' && Array.isArray(own) && Array.isArray(value))
      written[keyword] = [...new Set([...(own as JsonValue[]), ...(value as JsonValue[])])];
    else if (keyword === 'anyOf' || keyword === 'allOf') addPart(written, keyword, value);
    // With `false`, each part of `allOf` would reject the fields of the others.
    else if (keyword === 'additionalProperties' && own === false && value !== false) written[keyword] = value;
  }
}

/** Alternatives of different parts combine by `allOf`: they do not replace each other. */
function addPart(written: Written, keyword: string, value: JsonValue): void {
  const parts = Array.isArray(written['allOf']) ? (written['allOf'] as JsonValue[]) : [];
  const added = keyword === 'allOf' && Array.isArray(value) ? (value as JsonValue[]) : [{ [keyword]: value }];
  written['allOf'] = [...parts, ...added];
}

function isNull(value: JsonValue): boolean {
  return isJsonObject(value) && (value['type'] === 'null' || isOnlyNull(value['enum']));
}

function isOnlyNull(values: JsonValue | undefined): boolean {
  return Array.isArray(values) && values.length === 1 && values[0] === null;
}

function allowNull(written: Written): void {
  const { type, enum: values } = written;
  if (typeof type === 'string' && type !== 'null') written['type'] = [type, 'null'];
  else if (Array.isArray(type) && !type.includes('null'))
    written['type'] = [...(type as JsonValue[]), 'null'];
  if (Array.isArray(values) && !values.includes(null)) written['enum'] = [...(values as JsonValue[]), null];
}
