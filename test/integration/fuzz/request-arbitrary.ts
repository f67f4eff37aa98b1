import fc from 'fast-check';
import {
  hostileBody,
  hostileHeaderValue,
  hostileQueryName,
  hostileQueryValue,
  hostileSegment,
} from './hostile-values.js';
import { mutatedJson } from './mutate-json.js';
import type { OpenApiDocument, Operation, Parameter } from '../../support/openapi/openapi-document.js';
import { arbitraryOf, type KnownValues } from './schema-arbitrary.js';
import type { WireRequest } from './send-request.js';

/** Known state of the service under test, from which a generator draws valid values. */
export interface FuzzState {
  /** Known values of fields, parameters and headers, by name. */
  readonly values: KnownValues;
  /** Known values of this operation's path parameters, by name. */
  readonly pathValues: KnownValues;
  readonly apiKey: string;
  /** API keys without scopes or of another tenant. */
  readonly otherKeys: readonly string[];
}

export interface FuzzRequest extends WireRequest {
  /** True if the path may match the route of another operation, or none. */
  readonly isOffRoute: boolean;
}

type Headers = [string, string][];
type Segment = { readonly text: string; readonly isOffRoute: boolean };

/** Requests that conform to the OpenAPI document. */
export function validRequests(
  document: OpenApiDocument,
  operation: Operation,
  state: FuzzState,
): fc.Arbitrary<FuzzRequest> {
  const body = validBody(document, operation, state);
  return toRequest(operation, {
    segments: segments(operation, (name) => knownSegment(state, name)),
    query: validQuery(document, operation, state),
    headers: validHeaders(operation, state).map((headers) => [
      ...authorization(operation, state),
      ...headers,
    ]),
    body: body === null ? fc.constant(null) : body.map((value) => Buffer.from(JSON.stringify(value))),
    contentType: fc.constant('application/json'),
  });
}

/** Requests in which each part may be hostile; most parts are valid. */
export function hostileRequests(
  document: OpenApiDocument,
  operation: Operation,
  state: FuzzState,
): fc.Arbitrary<FuzzRequest> {
  const body = validBody(document, operation, state);
  return toRequest(operation, {
    segments: segments(operation, (name) =>
      mostly(4, knownSegment(state, name), hostileSegment.map(toSegment)),
    ),
    query: mostly(3, validQuery(document, operation, state), hostileQuery(operation)),
    headers: fc
      .tuple(
        hostileAuthorization(operation, state),
        mostly(1, validHeaders(operation, state), hostileHeaders(operation)),
      )
      .map((parts) => parts.flat()),
    body:
      body === null ? mostly(9, fc.constant(null), hostileBody) : mostly(4, mutatedJson(body), hostileBody),
    contentType: mostly(9, fc.constant('application/json'), hostileContentType),
  });
}

interface Parts {
  readonly segments: fc.Arbitrary<readonly Segment[]>;
  readonly query: fc.Arbitrary<string>;
  readonly headers: fc.Arbitrary<Headers>;
  readonly body: fc.Arbitrary<Buffer | null>;
  readonly contentType: fc.Arbitrary<string | null>;
}

function toRequest(operation: Operation, parts: Parts): fc.Arbitrary<FuzzRequest> {
  return fc.record(parts).map(({ segments: given, query, headers, body, contentType }) => {
    let next = 0;
    const path = operation.path.replaceAll(/\{\w+\}/g, () => given[next++]?.text ?? '');
    const type: Headers = body === null || contentType === null ? [] : [['Content-Type', contentType]];
    return {
      method: operation.method,
      path: query === '' ? path : `${path}?${query}`,
      headers: [...headers, ...type],
      body,
      isOffRoute: given.some((segment) => segment.isOffRoute),
    };
  });
}

function segments(
  { parameters }: Operation,
  of: (name: string) => fc.Arbitrary<Segment>,
): fc.Arbitrary<readonly Segment[]> {
  return fc.tuple(...placed(parameters, 'path').map(({ name }) => of(name)));
}

function knownSegment({ pathValues }: FuzzState, name: string): fc.Arbitrary<Segment> {
  const known = pathValues[name];
  if (known === undefined) throw new Error(`nobody knows values of the path parameter ${name}`);
  return fc.constantFrom(...known).map((value) => ({ text: String(value), isOffRoute: false }));
}

/** Marks segments of dots, escaped dots or slashes, and broken escapes: they can match another route. */
function toSegment(text: string): Segment {
  const isBroken = /%(?![0-9a-f]{2})/i.test(text) || /%(?:2e|2f|ff|00)/i.test(text);
  return { text, isOffRoute: isBroken || /^\.*$/.test(text) };
}

function validQuery(
  document: OpenApiDocument,
  { parameters }: Operation,
  { values }: FuzzState,
): fc.Arbitrary<string> {
  const fields = placed(parameters, 'query').map(({ name, schema }) => [
    name,
    values[name] === undefined ? arbitraryOf(document, schema) : fc.constantFrom(...values[name]),
  ]);
  return fc
    .record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] })
    .map((query) =>
      Object.entries(query)
        .flatMap(([name, value]) => (isPairs(value) ? pairsOf(name, value) : [[name, value]]))
        .map(([name, value]) => `${String(name)}=${encodeURIComponent(String(value).toWellFormed())}`)
        .join('&'),
    );
}

function isPairs(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Query pairs in the `deepObject` style of OpenAPI. */
function pairsOf(name: string, pairs: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(pairs).map(([key, value]) => [
    `${name}[${encodeURIComponent(key.toWellFormed())}]`,
    value,
  ]);
}

function hostileQuery({ parameters }: Operation): fc.Arbitrary<string> {
  const names = placed(parameters, 'query').map(({ name }) => name);
  const name = names.length === 0 ? hostileQueryName : mostly(4, fc.constantFrom(...names), hostileQueryName);
  return fc
    .array(fc.tuple(name, hostileQueryValue), { minLength: 1, maxLength: 3 })
    .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&'));
}

function validHeaders({ parameters }: Operation, { values }: FuzzState): fc.Arbitrary<Headers> {
  const fields = placed(parameters, 'header').map(({ name }): [string, fc.Arbitrary<string>] => [
    name,
    values[name] === undefined
      ? fc.stringMatching(/^[a-z0-9]{1,30}$/)
      : fc.constantFrom(...values[name].map(String)),
  ]);
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: [] })
    .map((headers) =>
      Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
    );
}

function hostileHeaders({ parameters }: Operation): fc.Arbitrary<Headers> {
  const names = placed(parameters, 'header').map(({ name }) => name);
  const name = fc.constantFrom(
    ...names,
    ...names,
    'X-Request-Id',
    'Accept',
    'If-Match',
    'Prefer',
    'Accept-Encoding',
  );
  return fc.array(fc.tuple(name, hostileHeaderValue), { minLength: 1, maxLength: 3 });
}

function authorization({ isOpenToAll }: Operation, { apiKey }: FuzzState): Headers {
  return isOpenToAll ? [] : [['Authorization', `Bearer ${apiKey}`]];
}

function hostileAuthorization(operation: Operation, state: FuzzState): fc.Arbitrary<Headers> {
  const others = fc.oneof(
    fc.constantFrom(...state.otherKeys).map((key) => `Bearer ${key}`),
    hostileHeaderValue.map((value) => `Bearer ${value}`),
    hostileHeaderValue,
  );
  const asHeader = others.map((value): Headers => [['Authorization', value]]);
  return mostly(
    14,
    fc.constant(authorization(operation, state)),
    fc.oneof(asHeader, fc.constant<Headers>([])),
  );
}

const hostileContentType: fc.Arbitrary<string | null> = fc.constantFrom(
  ...[
    null,
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'application/json;',
    'APPLICATION/JSON',
    '/',
  ],
  ...['multipart/form-data', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'json'],
  ...[
    'application/problem+json',
    'application/jsonx',
    'application/json, text/plain',
    'application/json; x="',
  ],
);

function validBody(
  document: OpenApiDocument,
  { bodySchema }: Operation,
  { values }: FuzzState,
): fc.Arbitrary<unknown> | null {
  return bodySchema === null
    ? null
    : arbitraryOf(document, bodySchema, values).map(withoutLongWait).map(withOneInput);
}

/** Drops the session from `on_conflict: reject`, which waits seconds for a busy session; other tests cover it. */
function withoutLongWait(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('on_conflict' in body)) return body;
  return body.on_conflict === 'reject' ? { ...body, session_uuid: undefined } : body;
}

/** `user_input` is another name of `input`; both together are refused. */
function withOneInput(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('user_input' in body)) return body;
  return 'input' in body ? { ...body, user_input: undefined } : body;
}

function placed(parameters: readonly Parameter[], place: Parameter['in']): Parameter[] {
  return parameters.filter((parameter) => parameter.in === place);
}

function mostly<T, U>(weight: number, often: fc.Arbitrary<T>, rarely: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: often }, { weight: 1, arbitrary: rarely });
}
