import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';

const DEEPEST = 12;

/**
 * A value for a JSON Schema, built from known fields: these are kept where the schema allows; others are null if allowed,
 * else the simplest value of their type. Unknown fields are dropped if the schema forbids them.
 */
export function fillSchema(schema: JsonObject, known: JsonValue | undefined): JsonValue {
  return fill(schema, known, schema, 0);
}

function fill(
  given: JsonValue | undefined,
  known: JsonValue | undefined,
  root: JsonObject,
  depth: number,
): JsonValue {
  if (!isJsonObject(given) || depth > DEEPEST) return known ?? null;
  const schema = resolve(given, root);
  const options = alternatives(schema);
  if (options.length > 0) {
    if (known === undefined && options.some(allowsNull)) return null;
    const fitting = options.find((option) => fits(resolve(option, root), known)) ?? options[0];
    return fill(fitting, known, root, depth + 1);
  }
  if (known === undefined || !fits(schema, known)) return plainest(schema, known, root, depth);
  if (isJsonObject(known)) return fillObject(schema, known, root, depth);
  if (Array.isArray(known)) {
    return known.map((item: JsonValue) =>
      'items' in schema ? fill(schema['items'], item, root, depth + 1) : item,
    );
  }
  return known;
}

function fillObject(schema: JsonObject, known: JsonObject, root: JsonObject, depth: number): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const named = Object.entries(properties).map(([name, property]): [string, JsonValue] => [
    name,
    fill(property, Object.hasOwn(known, name) ? known[name] : undefined, root, depth + 1),
  ]);
  const isOpen = Object.keys(properties).length === 0 && schema['additionalProperties'] !== false;
  return Object.fromEntries([...named, ...(isOpen ? Object.entries(known) : [])]);
}

/** The simplest value of a schema; a known value of another type is converted to text if the schema requires text. */
function plainest(
  schema: JsonObject,
  known: JsonValue | undefined,
  root: JsonObject,
  depth: number,
): JsonValue {
  if (allowsNull(schema)) return null;
  if ('const' in schema) return schema['const'] ?? null;
  if (Array.isArray(schema['enum']))
    return schema['enum'].find((option: JsonValue) => option !== null) ?? null;
  switch (typesOf(schema)[0]) {
    case 'object':
      return fillObject(schema, {}, root, depth);
    case 'array': {
      const least = typeof schema['minItems'] === 'number' ? Math.min(schema['minItems'], 10) : 0;
      return Array.from({ length: least }, () => fill(schema['items'], undefined, root, depth + 1));
    }
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return known === undefined || known === null ? '' : JSON.stringify(known);
    default:
      return isJsonObject(schema['properties']) ? fillObject(schema, {}, root, depth) : (known ?? null);
  }
}

function fits(schema: JsonObject, known: JsonValue | undefined): boolean {
  if (known === undefined) return false;
  if ('const' in schema) return schema['const'] === known;
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(known);
  const types = typesOf(schema);
  return (
    types.length === 0 ||
    types.includes(typeName(known)) ||
    (types.includes('number') && typeof known === 'number')
  );
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function typesOf(schema: JsonObject): readonly string[] {
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  return types.filter((type: JsonValue | undefined) => typeof type === 'string');
}

function allowsNull(schema: JsonValue): boolean {
  return isJsonObject(schema) && (typesOf(schema).includes('null') || schema['const'] === null);
}

function alternatives(schema: JsonObject): readonly JsonObject[] {
  const options = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(options) ? options.filter((option: JsonValue) => isJsonObject(option)) : [];
}

/** Follows a local `$ref` such as `#/$defs/line`. */
function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  const target = reference
    .slice(2)
    .split('/')
    .reduce<JsonValue | undefined>((node, key) => (isJsonObject(node) ? node[key] : undefined), root);
  return isJsonObject(target) ? target : schema;
}
