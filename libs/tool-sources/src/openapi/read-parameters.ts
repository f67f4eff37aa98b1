import type { JsonObject } from '#libs/kernel';
import {
  choiceAt,
  entriesOf,
  fault,
  flagAt,
  itemsOf,
  objectAt,
  textAt,
  under,
  type Located,
} from './located.js';
import { PLACES, STYLES, type Parameter, type Place, type Style, type Writing } from './operation.js';
import type { References } from './references.js';

export interface ReadParameters {
  readonly parameters: readonly Parameter[];
  /** The declared idempotency key header: set by the service with each call, never an argument. */
  readonly keyHeader: string | null;
}

/**
 * Headers set by the service, by security schemes or by HTTP; the standard says to ignore the first three as
 * parameters.
 */
const NO_ARGUMENTS: ReadonlySet<string> = new Set([
  ...['accept', 'content-type', 'authorization', 'host', 'content-length', 'content-encoding'],
  ...['transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'cookie'],
  ...['proxy-authorization', 'proxy-connection', 'accept-encoding'],
]);
const KEY_HEADER = /^(x-)?idempotency-key$/i;

const STYLES_OF: Readonly<Record<Place, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** Parameters of an operation and its path; the operation's take precedence. */
export function readParameters(
  item: Located<JsonObject>,
  operation: Located<JsonObject>,
  path: string,
  references: References,
): ReadParameters {
  const read = new Map<string, Parameter>();
  for (const given of [...itemsOf(under(item, 'parameters')), ...itemsOf(under(operation, 'parameters'))]) {
    const parameter = readParameter(objectAt(references.follow(given)));
    read.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  for (const name of path.matchAll(/\{([^{}]+)\}/g))
    if (!read.has(`path ${name[1]}`))
      throw fault(operation, `must have a parameter in path of the name "${name[1]}"`);
  const all = [...read.values()];
  const key = all.find(({ in: place, name }) => place === 'header' && KEY_HEADER.test(name));
  return {
    parameters: all.filter(
      ({ in: place, name }) =>
        place !== 'header' || !(NO_ARGUMENTS.has(name.toLowerCase()) || KEY_HEADER.test(name)),
    ),
    keyHeader: key?.name ?? null,
  };
}

function readParameter(at: Located<JsonObject>): Parameter {
  const name = textAt(under(at, 'name'));
  if (name === undefined || name === '') throw fault(at, 'must have a name');
  const place = choiceAt(under(at, 'in'), PLACES);
  const content = entriesOf(under(at, 'content'));
  const schema = under(content[0]?.[1] ?? at, 'schema');
  return {
    name,
    in: place,
    isRequired: place === 'path' || flagAt(under(at, 'required'), false),
    description: textAt(under(at, 'description')) ?? '',
    schema: schema.value === undefined ? null : { ...schema, value: schema.value },
    writing: content.length > 0 ? 'json' : readWriting(at, place),
  };
}

function readWriting(at: Located<JsonObject>, place: Place): Writing {
  const allowed = STYLES_OF[place];
  const style = choiceAt(under(at, 'style'), allowed, allowed[0]);
  return {
    style,
    explode: flagAt(under(at, 'explode'), style === 'form' || style === 'deepObject'),
    allowReserved: place === 'query' && flagAt(under(at, 'allowReserved'), false),
  };
}

/** Encoding of a form field; null if the description specifies none. */
export function readFieldWriting(at: Located<JsonObject>): Writing | null {
  const hasOwn = ['style', 'explode', 'allowReserved'].some((name) => under(at, name).value !== undefined);
  if (!hasOwn) return null;
  const style = choiceAt(under(at, 'style'), STYLES, 'form');
  return {
    style,
    explode: flagAt(under(at, 'explode'), style === 'form' || style === 'deepObject'),
    allowReserved: flagAt(under(at, 'allowReserved'), false),
  };
}
