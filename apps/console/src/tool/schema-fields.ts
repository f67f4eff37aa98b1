import { isObject, type JsonObject } from '../format/json-object.js';

/** One argument of a tool, for a person to read. */
export interface SchemaRow {
  /** Path from the arguments, such as `lines[].quantity`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** Allowed values and limits, in words. */
  readonly rules: string;
}

const MAX_DEPTH = 4;
const MAX_ROWS = 300;

/** Arguments that a JSON Schema describes, with those within them, outermost first. Pure. */
export function schemaRows(schema: JsonObject): SchemaRow[] {
  return rowsOf(schema, '', 0).slice(0, MAX_ROWS);
}

function rowsOf(schema: JsonObject, path: string, depth: number): SchemaRow[] {
  const { properties } = schema;
  if (!isObject(properties) || depth >= MAX_DEPTH) return [];
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).flatMap(([name, part]) => {
    const place = path === '' ? name : `${path}.${name}`;
    if (!isObject(part)) return [{ ...BLANK, path: place, isRequired: required.includes(name) }];
    const row = {
      path: place,
      type: typeOf(part),
      isRequired: required.includes(name),
      description: textOf(part['description']),
      rules: rulesOf(part),
    };
    const { items } = part;
    const within = isObject(items) ? rowsOf(items, `${place}[]`, depth + 1) : rowsOf(part, place, depth + 1);
    return [row, ...within];
  });
}

const BLANK = { type: 'any', description: '', rules: '' };

function typeOf(schema: JsonObject): string {
  const { type, items, anyOf, oneOf } = schema;
  const forms = anyOf ?? oneOf;
  if (Array.isArray(forms)) return forms.map((form) => (isObject(form) ? typeOf(form) : 'any')).join(' or ');
  if (Array.isArray(type)) return type.map(String).join(' or ');
  if (type === 'array' && isObject(items)) return `list of ${typeOf(items)}`;
  if (typeof type === 'string') return type === 'array' ? 'list' : type;
  if (Array.isArray(schema['enum']) || 'const' in schema) return 'value';
  return typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? 'any') : 'any';
}

/** Keywords in words; `#` stands for their value. */
const LIMITS: readonly (readonly [keyword: string, words: string])[] = [
  ['minimum', 'at least #'],
  ['exclusiveMinimum', 'more than #'],
  ['maximum', 'at most #'],
  ['exclusiveMaximum', 'less than #'],
  ['minLength', 'length at least #'],
  ['maxLength', 'length at most #'],
  ['minItems', 'at least # items'],
  ['maxItems', 'at most # items'],
  ['format', 'format #'],
  ['pattern', 'pattern #'],
];

function rulesOf(schema: JsonObject): string {
  const { enum: values, default: fallback } = schema;
  const parts = LIMITS.filter(([keyword]) => keyword in schema).map(([keyword, words]) =>
    words.replace('#', () => String(schema[keyword])),
  );
  if (Array.isArray(values))
    parts.unshift(`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`);
  if ('const' in schema) parts.unshift(`always ${JSON.stringify(schema['const'])}`);
  if (fallback !== undefined && fallback !== null) parts.push(`default ${JSON.stringify(fallback)}`);
  return parts.join('; ');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
