import type { JsonObject, JsonValue } from '#libs/kernel';
import { applySecurity } from './apply-security.js';
import type { CalledService } from './called-service.js';
import type { Operation, OperationArguments, Parameter } from './operation.js';
import { serializeBody, type SentBody } from './serialize-body.js';
import { encodeText, serializePairs, serializeText, type Pair } from './serialize-value.js';
import { UnsendableArgument } from './unsendable-argument.js';

/** HTTP request of one call. */
export interface OperationRequest {
  readonly url: string;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export type BuiltRequest =
  | { readonly kind: 'request'; readonly request: OperationRequest }
  /** The arguments cannot be sent; `text` is for the model (3.I-12). */
  | { readonly kind: 'unsendable'; readonly text: string };

/** Builds the request of a call. Deterministic except for a multipart boundary. */
export function buildRequest(
  operation: Operation,
  { places, isOpen }: Pick<OperationArguments, 'places' | 'isOpen'>,
  input: JsonObject,
  service: CalledService,
  idempotencyKey: string,
): BuiltRequest {
  try {
    const given = sortArguments(places, isOpen, input);
    const base = baseOf(service.baseUrl ?? operation.serverUrl);
    if (base === null) return { kind: 'unsendable', text: 'API base URL is not configured' };
    const path = fillPath(operation, given.parameters);
    const body = bodyOf(operation, given);
    const sent = applySecurity(operation, service, queryOf(given.parameters), cookiesOf(given.parameters));
    const headers = {
      accept: 'application/json, */*;q=0.5',
      ...headersOf(given.parameters),
      ...sent.headers,
      ...(sent.cookies.length > 0 && { cookie: joined(sent.cookies, '; ') }),
      ...(operation.keyHeader !== null && { [operation.keyHeader.toLowerCase()]: idempotencyKey }),
      ...(body !== null && { 'content-type': body.contentType }),
    };
    const url = addressOf(base, path, sent.query);
    const method = operation.method.toUpperCase();
    return { kind: 'request', request: { url, method, headers, body: body?.content ?? null } };
  } catch (error) {
    if (error instanceof UnsendableArgument) return { kind: 'unsendable', text: error.message };
    throw error;
  }
}

interface SortedArguments {
  readonly parameters: readonly (readonly [Parameter, JsonValue])[];
  /** Null if no argument belongs to the body. */
  readonly body: JsonValue;
  readonly bytesFields: ReadonlySet<string>;
}

function sortArguments(
  places: OperationArguments['places'],
  isOpen: boolean,
  input: JsonObject,
): SortedArguments {
  const parameters: [Parameter, JsonValue][] = [];
  const fields: [string, JsonValue][] = [];
  const bytesFields = new Set<string>();
  let whole: JsonValue = null;
  for (const [name, value] of inOrder(places, input)) {
    const place = places.get(name);
    if (place === undefined) {
      if (isOpen) fields.push([name, value]);
    } else if (place.kind === 'parameter') {
      // A null parameter counts as absent, because no serialization style supports null.
      if (value !== null) parameters.push([place.parameter, value]);
    } else if (place.kind === 'field') {
      fields.push([place.name, value]);
      if (place.isBytes) bytesFields.add(place.name);
    } else whole = value;
  }
  return { parameters, body: fields.length > 0 ? Object.fromEntries(fields) : whole, bytesFields };
}

/** Orders arguments as in the description, not as the model did: a service may require the file part last. */
function inOrder(places: OperationArguments['places'], input: JsonObject): [string, JsonValue][] {
  const order = new Map([...places.keys()].map((name, at) => [name, at]));
  const at = (name: string): number => order.get(name) ?? order.size;
  return Object.entries(input).sort(([one], [other]) => at(one) - at(other));
}

/** An http(s) URL without user name and password; null for anything else. */
function baseOf(text: string | null): URL | null {
  const url = text === null ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    ? url
    : null;
}

function fillPath(operation: Operation, given: SortedArguments['parameters']): string {
  const values = new Map(
    given.filter(([{ in: place }]) => place === 'path').map(([of, value]) => [of.name, { of, value }]),
  );
  // Fragments are never sent; some descriptions use them to distinguish operations.
  const path = operation.path.replace(/#.*$/, '');
  return path.replaceAll(/\{([^{}]+)\}/g, (_written, name: string) => {
    const { of, value } = values.get(name) ?? {};
    const isMissing = of === undefined || value === undefined || value === '';
    if (isMissing) throw new UnsendableArgument(`Missing required path parameter: ${name}`);
    const text =
      of.writing === 'json'
        ? encodeText(JSON.stringify(value))
        : serializeText(name, value, of.writing, encodeText);
    // URLs cannot escape these segments: they would select another path.
    if (/^\.{1,2}$/.test(text))
      throw new UnsendableArgument(`Invalid path parameter: ${name} must not be "." or ".."`);
    if (text === '') throw new UnsendableArgument(`Missing required path parameter: ${name}`);
    return text;
  });
}

function queryOf(given: SortedArguments['parameters']): Pair[] {
  return given.flatMap(([parameter, value]) => (parameter.in === 'query' ? pairsOf(parameter, value) : []));
}

function cookiesOf(given: SortedArguments['parameters']): Pair[] {
  return given.flatMap(([parameter, value]) => (parameter.in === 'cookie' ? pairsOf(parameter, value) : []));
}

function pairsOf({ name, writing }: Parameter, value: JsonValue): readonly Pair[] {
  if (writing === 'json') return [[encodeText(name), encodeText(JSON.stringify(value))]];
  return serializePairs(name, value, writing);
}

function headersOf(given: SortedArguments['parameters']): Record<string, string> {
  const asItIs = (text: string): string => text;
  return Object.fromEntries(
    given.flatMap(([{ in: place, name, writing }, value]) => {
      if (place !== 'header') return [];
      const text = writing === 'json' ? JSON.stringify(value) : serializeText(name, value, writing, asItIs);
      if (!/^[\t\x20-\x7e]*$/.test(text))
        throw new UnsendableArgument(`Invalid header parameter: ${name} must be printable ASCII in one line`);
      return [[name.toLowerCase(), text] as const];
    }),
  );
}

function bodyOf(operation: Operation, given: SortedArguments): SentBody | null {
  const { body } = operation;
  if (body === null || (given.body === null && !body.isRequired)) return null;
  return serializeBody(body, given.body ?? {}, given.bytesFields);
}

function addressOf(base: URL, path: string, query: readonly Pair[]): string {
  const folder = base.pathname.replace(/\/$/, '');
  const search = [base.search.slice(1), joined(query, '&')].filter((part) => part !== '').join('&');
  const mark = path.includes('?') ? '&' : '?';
  return `${base.origin}${folder}${path}${search === '' ? '' : mark + search}`;
}

function joined(pairs: readonly Pair[], between: string): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join(between);
}
