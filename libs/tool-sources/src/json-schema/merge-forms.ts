import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { referredTo } from './subschemas.js';

/** Keywords that providers refuse at the root of a tool's parameters. */
const REFUSED_AT_ROOT: ReadonlySet<string> = new Set([
  ...['$ref', 'allOf', 'anyOf', 'const', 'dependencies', 'dependentRequired', 'dependentSchemas', 'else'],
  ...['enum', 'if', 'not', 'oneOf', 'then'],
]);
/** Forms that the description names by their fields. */
const MAX_NAMED_FORMS = 12;

/** The fields of an object as a schema says them, with its parts and forms. */
interface Fields {
  readonly properties: JsonObject;
  readonly required: readonly string[];
  /** No other field may be given. */
  readonly isClosed: boolean;
  /** Names of the fields of each form, where there are several. */
  readonly forms: readonly string[];
}

/**
 * The same schema with the parts (`allOf`) and forms (`oneOf`, `anyOf`) of its root merged into one object: every field of
 * every form, required where all forms want it. Its description says which fields belong together.
 */
export function mergeForms(root: JsonObject): {
  readonly schema: JsonObject;
  readonly losses: readonly string[];
} {
  if (!Object.keys(root).some((keyword) => REFUSED_AT_ROOT.has(keyword))) return { schema: root, losses: [] };
  const { properties, required, isClosed, forms } = fieldsOf(root, root, new Map());
  const { additionalProperties, description, ...others } = Object.fromEntries(
    Object.entries(root).filter(([keyword]) => !REFUSED_AT_ROOT.has(keyword)),
  );
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  const said = forms.length > 1 ? `Give the fields of one form: ${forms.join(' | ')}.` : '';
  const own = typeof description === 'string' ? description : '';
  const text = [own, said].filter((part) => part !== '').join('\n');
  const { required: _own, ...kept } = others;
  const schema: JsonObject = {
    ...kept,
    ...(text !== '' && { description: text }),
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(isClosed && { additionalProperties: false }),
    ...(isOpen && { additionalProperties }),
  };
  const losses = forms.length > 1 ? [`has ${forms.length} forms, which models are shown as one`] : [];
  return { schema, losses };
}

function fieldsOf(schema: JsonObject, root: JsonObject, known: Map<JsonObject, Fields>): Fields {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const inner = (part: JsonValue | undefined): Fields[] =>
    isJsonObject(part) ? [fieldsOf(part, root, known)] : [];
  const all = (keyword: string): Fields[] =>
    (Array.isArray(schema[keyword]) ? (schema[keyword] as JsonValue[]) : []).flatMap(inner);
  const { $ref, properties, required, additionalProperties } = schema;
  const own: Fields = {
    properties: isJsonObject(properties) ? properties : {},
    required: Array.isArray(required) ? (required as string[]) : [],
    isClosed: additionalProperties === false,
    forms: [],
  };
  const parts = [...(typeof $ref === 'string' ? inner(referredTo($ref, root)) : []), ...all('allOf')];
  const alternatives = ['oneOf', 'anyOf']
    .map((keyword) => all(keyword))
    .filter((forms) => forms.length > 0)
    .map(eitherOf);
  const conditional = [schema['then'], schema['else']].flatMap(inner).map(optional);
  const fields = [...parts, ...alternatives, ...conditional].reduce(bothOf, own);
  known.set(schema, fields);
  return fields;
}

/** The fields of two schemas that both hold; where both are closed, and have the same fields, so are they together. */
function bothOf(one: Fields, other: Fields): Fields {
  return {
    properties: union(one.properties, other.properties, 'allOf'),
    required: [...new Set([...one.required, ...other.required])],
    isClosed:
      one.isClosed && Object.keys(other.properties).every((name) => Object.hasOwn(one.properties, name)),
    forms: [...one.forms, ...other.forms],
  };
}

/** The fields of schemas of which one holds. */
function eitherOf(forms: readonly Fields[]): Fields {
  const [first, ...others] = forms as [Fields, ...Fields[]];
  const merged = others.reduce(
    (one, other) => ({
      properties: union(one.properties, other.properties, 'anyOf'),
      required: one.required.filter((name) => other.required.includes(name)),
      isClosed: one.isClosed && other.isClosed,
      forms: [],
    }),
    first,
  );
  const named = forms.slice(0, MAX_NAMED_FORMS).map(({ properties, required }) => {
    const names = Object.keys(properties);
    return (names.length > 0 ? names : required).join(', ');
  });
  const differ = [...new Set(named)].filter((names) => names !== '');
  return { ...merged, forms: named.length < forms.length ? [...differ, '…'] : differ };
}

function optional(fields: Fields): Fields {
  return { ...fields, required: [], isClosed: false };
}

/** Where both have a field, either of its schemas may hold, or both have to. */
function union(one: JsonObject, other: JsonObject, keyword: 'allOf' | 'anyOf'): JsonObject {
  const merged: Record<string, JsonValue> = { ...one };
  for (const [name, schema] of Object.entries(other)) {
    const own = merged[name];
    if (own === undefined) merged[name] = schema;
    else if (!isDeepStrictEqual(own, schema)) merged[name] = joined(own, schema, keyword);
  }
  return merged;
}

function joined(own: JsonValue, schema: JsonValue, keyword: 'allOf' | 'anyOf'): JsonValue {
  const schemas = listed(own, keyword);
  for (const each of listed(schema, keyword))
    if (!schemas.some((known) => isDeepStrictEqual(known, each))) schemas.push(each);
  return schemas.length === 1 ? own : { [keyword]: schemas };
}

/** The schemas that one consists of, where it says nothing else. */
function listed(schema: JsonValue, keyword: 'allOf' | 'anyOf'): JsonValue[] {
  const parts = isJsonObject(schema) && Object.keys(schema).length === 1 ? schema[keyword] : undefined;
  return Array.isArray(parts) ? [...(parts as JsonValue[])] : [schema];
}
