import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { Located } from './located.js';
import { entriesOf, itemsOf, under } from './located.js';
import { referenceIn, type References } from './references.js';
import { keptKeywords } from './schema-keywords.js';

/** How far a schema is written out. */
export interface Expansion {
  readonly references: References;
  /** Levels of properties, items, references and parts; what lies deeper may be anything (3.I-12). */
  readonly depth: number;
  /** Whether parts within are described too. */
  readonly isDescribed: boolean;
  /** Whether every form of the schema as a whole (`oneOf`, `anyOf`) is written out, as `anyOf`; else the first one. */
  readonly hasAllForms?: boolean;
  /** Schemas that may still be written out. */
  readonly budget: { left: number };
}

/** A schema comes to more than its budget: nothing of it is of use. */
export class SchemaTooLarge extends Error {
  override readonly name = 'SchemaTooLarge';
}

/** So many choices of an `enum` count as one schema. */
const CHOICES_OF_ONE = 16;

type Written = Record<string, JsonValue>;

/**
 * A schema of a description as JSON Schema that stands by itself: references replaced by what they lead to, `allOf` merged,
 * of `oneOf` and `anyOf` the first branch (3.I-12), at the root all with `hasAllForms`, without `readOnly` fields,
 * which only a server sets. Throws a `DocumentFault` where it cannot be read, and `SchemaTooLarge` once that is certain.
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
  // 3.1 lets a reference be described where it stands.
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
    // Only an object of its own may have this name, and a validator would not see it.
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

/** What stands in the schema itself wins over its parts; fields and what is required of them come together. */
function mergeInto(written: Written, part: Written): void {
  for (const [keyword, value] of Object.entries(part)) {
    const own = written[keyword];
    if (own === undefined) written[keyword] = value;
    else if (keyword === 'properties' && isJsonObject(own) && isJsonObject(value))
      written[keyword] = { ...value, ...own };
    else if (keyword === 'required' && Array.isArray(own) && Array.isArray(value))
      written[keyword] = [...new Set([...(own as JsonValue[]), ...(value as JsonValue[])])];
    else if (keyword === 'anyOf' || keyword === 'allOf') addPart(written, keyword, value);
    // Each part of `allOf` would refuse the fields of the others.
    else if (keyword === 'additionalProperties' && own === false && value !== false) written[keyword] = value;
  }
}

/** Forms of one part do not stand in for those of another. */
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
