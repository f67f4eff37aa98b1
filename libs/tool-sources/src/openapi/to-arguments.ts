import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { DocumentFault } from './document-fault.js';
import { mergeForms } from '../json-schema/merge-forms.js';
import { TooManySteps } from '../json-schema/validation-steps.js';
import { expandSchema, SchemaTooLarge, type Expansion } from './expand-schema.js';
import type { ArgumentPlace, Operation, OperationArguments, OperationBody, Parameter } from './operation.js';
import { TooManySchemas, type References } from './references.js';

/** Limits of an argument schema, below those of `boundSchema`. */
const MAX_BYTES = 30_000;
const MAX_SCHEMAS = 900;
/** Expansion limits, tried in order until the schema fits; 3.I-12 specifies the first. */
const DEPTHS: readonly Pick<Expansion, 'depth' | 'isDescribed'>[] = [
  { depth: 10, isDescribed: true },
  { depth: 6, isDescribed: true },
  { depth: 4, isDescribed: true },
  { depth: 3, isDescribed: true },
  { depth: 3, isDescribed: false },
  { depth: 2, isDescribed: false },
  { depth: 1, isDescribed: false },
];

/** Remaining number of expanded schemas. */
export interface SchemaBudget {
  left: number;
}

/**
 * Builds an operation's arguments: its parameters, merged with the fields of its body (3.I-12); a body without fields
 * is one argument, `body`. On a name conflict the later argument gets its place as prefix, e.g. `body_id`. Schemas
 * beyond the limits are expanded less deeply. Throws a `DocumentFault` if they do not fit even so or are invalid, and
 * `TooManySchemas` when all operations together have used up `total`.
 */
export function toArguments(
  operation: Operation,
  references: References,
  total: SchemaBudget = { left: Infinity },
): OperationArguments {
  for (const { depth, isDescribed } of DEPTHS) {
    if (total.left <= 0) throw new TooManySchemas();
    const budget = { left: MAX_SCHEMAS };
    const written = unlessTooLarge(() =>
      writeArguments(operation, { references, depth, isDescribed, budget }),
    );
    total.left -= MAX_SCHEMAS - budget.left;
    if (written !== null && Buffer.byteLength(JSON.stringify(written.inputSchema)) <= MAX_BYTES)
      return written;
  }
  const { method, path } = operation;
  throw new DocumentFault(`${method.toUpperCase()} ${path}`, 'has arguments of too many or too long schemas');
}

function unlessTooLarge<Written>(write: () => Written): Written | null {
  try {
    return write();
  } catch (error) {
    if (error instanceof SchemaTooLarge || error instanceof TooManySteps) return null;
    throw error;
  }
}

class Arguments {
  readonly places = new Map<string, ArgumentPlace>();
  readonly properties: [string, JsonObject][] = [];
  readonly required: string[] = [];
  /** Describes which fields belong together if the body has several forms. */
  description: string | null = null;
  losses: readonly string[] = [];

  add(name: string, from: string, place: ArgumentPlace, schema: JsonObject, isRequired: boolean): void {
    const free = this.freeName(name, from);
    this.places.set(free, place);
    this.properties.push([free, schema]);
    if (isRequired) this.required.push(free);
  }

  private freeName(name: string, from: string): string {
    const isFree = (candidate: string): boolean => candidate !== '__proto__' && !this.places.has(candidate);
    if (isFree(name)) return name;
    let free = `${from}_${name}`;
    for (let count = 2; !isFree(free); count += 1) free = `${from}_${name}_${count}`;
    return free;
  }
}

function writeArguments(operation: Operation, expansion: Expansion): OperationArguments {
  const given = new Arguments();
  for (const parameter of operation.parameters) addParameter(given, parameter, expansion);
  const open = operation.body === null ? false : addBody(given, operation.body, expansion);
  return {
    inputSchema: {
      type: 'object',
      ...(given.description !== null && { description: given.description }),
      properties: Object.fromEntries(given.properties),
      ...(given.required.length > 0 && { required: given.required }),
      additionalProperties: open,
    },
    places: given.places,
    losses: given.losses,
    isOpen: open !== false,
  };
}

function addParameter(given: Arguments, parameter: Parameter, expansion: Expansion): void {
  const schema = expandSchema(parameter.schema, expansion);
  const own = typeof schema['description'] === 'string' ? schema['description'] : '';
  const text = parameter.description === '' ? own : parameter.description;
  const suffix = `(${parameter.in} parameter)`;
  const described = { ...schema, description: text === '' ? suffix : `${text} ${suffix}` };
  const place: ArgumentPlace = { kind: 'parameter', parameter };
  given.add(parameter.name, parameter.in, place, described, parameter.isRequired);
}

/** Returns the schema for additional arguments, which become fields of the body; false for none. */
function addBody(given: Arguments, body: OperationBody, expansion: Expansion): JsonValue {
  const { schema, losses } = oneForm(expandSchema(body.schema, { ...expansion, hasAllForms: true }));
  const { properties, additionalProperties: additional = false } = schema;
  const hasFields = isJsonObject(properties) && Object.keys(properties).length > 0 && isObjectType(schema);
  if (!hasFields || body.kind === 'bytes' || body.kind === 'text') {
    const place: ArgumentPlace = { kind: 'body', isBytes: body.kind === 'bytes' };
    given.add('body', 'body', place, wholeBody(schema, body.kind), body.isRequired);
    return false;
  }
  if (losses.length > 0 && typeof schema['description'] === 'string')
    given.description = schema['description'];
  given.losses = losses;
  const required = Array.isArray(schema['required']) ? (schema['required'] as JsonValue[]) : [];
  for (const [name, property] of Object.entries(properties)) {
    const isBytes = body.kind === 'multipart' && isFiles(property);
    const place: ArgumentPlace = { kind: 'field', name, isBytes };
    const written = isBytes ? asBase64(property as JsonObject) : (property as JsonObject);
    given.add(name, 'body', place, written, body.isRequired && required.includes(name));
  }
  return additional === false ? false : additional;
}

/** Merges a body of alternative objects into one object with all fields; any other body stays one value. */
function oneForm(schema: JsonObject): ReturnType<typeof mergeForms> {
  const isWholeObject = isObjectType(schema);
  const isMixed = formsOf(schema).some(
    (form) => !isJsonObject(form) || !(isObjectType(form) || (isWholeObject && form['type'] === undefined)),
  );
  return isMixed
    ? { schema, losses: [] }
    : mergeForms({ ...schema, ...(hasForms(schema) && { type: 'object' }) });
}

function hasForms(schema: JsonObject): boolean {
  return schema['anyOf'] !== undefined || schema['allOf'] !== undefined;
}

/** The alternatives of a schema, including nested ones. */
function formsOf(schema: JsonValue): JsonValue[] {
  if (!isJsonObject(schema)) return [schema];
  const inner = ['anyOf', 'allOf'].flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? (schema[keyword] as JsonValue[]) : [],
  );
  return inner.flatMap((form) => (isJsonObject(form) && hasForms(form) ? formsOf(form) : [form]));
}

function wholeBody(schema: JsonObject, kind: OperationBody['kind']): JsonObject {
  if (kind === 'bytes') return asBase64(schema);
  if (kind !== 'text') return kind === 'json' ? schema : { ...schema, type: 'object' };
  const { description } = schema;
  return { type: 'string', ...(description !== undefined && { description }) };
}

function isObjectType({ type }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** True if a form field is a file or a list of files. */
function isFiles(schema: JsonValue): boolean {
  return (
    isBinary(schema) || (isJsonObject(schema) && isJsonObject(schema['items']) && isBinary(schema['items']))
  );
}

function isBinary(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return false;
  const { format, contentMediaType, contentEncoding, type } = schema;
  const isText = type === undefined || type === 'string';
  return isText && (format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined));
}

/** Models write text only, so bytes are passed as base64. */
function asBase64({ description, items, ...list }: JsonObject): JsonObject {
  if (isJsonObject(items))
    return { ...list, ...(description !== undefined && { description }), items: asBase64(items) };
  const text = typeof description === 'string' ? `${description} (in base64)` : '(in base64)';
  return { type: 'string', description: text };
}
