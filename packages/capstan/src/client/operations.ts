import type { paths } from '../../generated/openapi.js';
import type { ApiPromise } from './api-promise.js';
import type { CallOptions, UploadOptions } from './call-options.js';
import type { PagePromise } from './page.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/**
 * `bare`: nothing but its path is sent. `input`: a body, or a query where it takes no body. `page`: a page of a list.
 * `form`: a file is sent. `bytes`: a file is answered.
 */
type Kind = 'bare' | 'input' | 'page' | 'form' | 'bytes';

/** Paths of the API that take a method. */
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

/** One operation of the API: its method and path, from which its types follow. */
export interface Row<M extends Method = Method, P extends string = string, K extends Kind = Kind> {
  readonly method: M;
  readonly path: P;
  readonly kind: K;
}

type Rows = Readonly<Record<string, Row>>;

export function get<P extends PathWith<'get'>>(path: P): Row<'get', P, 'bare'> {
  return { method: 'get', path, kind: 'bare' };
}

/** A GET that takes a query. */
export function query<P extends PathWith<'get'>>(path: P): Row<'get', P, 'input'> {
  return { method: 'get', path, kind: 'input' };
}

export function list<P extends PathWith<'get'>>(path: P): Row<'get', P, 'page'> {
  return { method: 'get', path, kind: 'page' };
}

export function download<P extends PathWith<'get'>>(path: P): Row<'get', P, 'bytes'> {
  return { method: 'get', path, kind: 'bytes' };
}

export function post<P extends PathWith<'post'>>(path: P): Row<'post', P, 'input'> {
  return { method: 'post', path, kind: 'input' };
}

/** A POST without a body. */
export function act<P extends PathWith<'post'>>(path: P): Row<'post', P, 'bare'> {
  return { method: 'post', path, kind: 'bare' };
}

export function upload<M extends 'post' | 'put', P extends PathWith<M>>(
  method: M,
  path: P,
): Row<M, P, 'form'> {
  return { method, path, kind: 'form' };
}

export function put<P extends PathWith<'put'>>(path: P): Row<'put', P, 'input'> {
  return { method: 'put', path, kind: 'input' };
}

export function patch<P extends PathWith<'patch'>>(path: P): Row<'patch', P, 'input'> {
  return { method: 'patch', path, kind: 'input' };
}

export function remove<P extends PathWith<'delete'>>(path: P): Row<'delete', P, 'bare'> {
  return { method: 'delete', path, kind: 'bare' };
}

/** A DELETE that takes a query. */
export function removeBy<P extends PathWith<'delete'>>(path: P): Row<'delete', P, 'input'> {
  return { method: 'delete', path, kind: 'input' };
}

/** Methods of a resource, by the rows of its operations. */
export type Resource<R extends Rows> = { readonly [Name in keyof R]: MethodOf<R[Name]> };

type MethodOf<R> =
  R extends Row<infer M, infer P, infer K>
    ? P extends keyof paths
      ? MethodBy<K, paths[P][M], Names<P>>
      : never
    : never;

type MethodBy<K extends Kind, Op, N extends readonly string[]> = K extends 'page'
  ? (...args: [...InPath<Op, N>, ...QueryOf<Op>, options?: CallOptions]) => PagePromise<ItemOf<JsonOf<Op>>>
  : K extends 'bytes'
    ? (...args: [...InPath<Op, N>, options?: CallOptions]) => ApiPromise<Response>
    : K extends 'form'
      ? (...args: [...InPath<Op, N>, form: FormOf<Op>, options?: UploadOptions]) => ApiPromise<JsonOf<Op>>
      : K extends 'input'
        ? (...args: [...InPath<Op, N>, ...InputOf<Op>, options?: CallOptions]) => ApiPromise<JsonOf<Op>>
        : (...args: [...InPath<Op, N>, options?: CallOptions]) => ApiPromise<JsonOf<Op>>;

/** Names of the parameters in a path, in order. */
type Names<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? [Name, ...Names<Rest>]
  : [];

type ParametersOf<Op> = Op extends { parameters: { path: infer Values } } ? Values : never;

type InPath<Op, N extends readonly string[]> = N extends readonly [infer Only extends keyof ParametersOf<Op>]
  ? [id: ParametersOf<Op>[Only]]
  : N extends readonly [infer One extends keyof ParametersOf<Op>, infer Two extends keyof ParametersOf<Op>]
    ? [id: ParametersOf<Op>[One], part: ParametersOf<Op>[Two]]
    : [];

type InputOf<Op> = [JsonBodyOf<Op>] extends [never]
  ? QueryOf<Op>
  : object extends JsonBodyOf<Op>
    ? [body?: JsonBodyOf<Op>]
    : [body: JsonBodyOf<Op>];

type QueryOf<Op> = Op extends { parameters: { query: infer Q } }
  ? [query: Q]
  : Op extends { parameters: { query?: infer Q } }
    ? [NonNullable<Q>] extends [never]
      ? []
      : [query?: NonNullable<Q>]
    : [];

type BodyOf<Op, Media extends string> = Op extends { requestBody?: infer R }
  ? NonNullable<R> extends { content: { [M in Media]: infer B } }
    ? B
    : never
  : never;

type JsonBodyOf<Op> = BodyOf<Op, 'application/json'>;

/** The fields of a form, its file as bytes. */
type FormOf<Op> = Omit<BodyOf<Op, 'multipart/form-data'>, 'file'> & { readonly file: Blob };

type JsonOf<Op> = Op extends { responses: infer R }
  ? OneOf<JsonAnswer<R[keyof R & (200 | 201 | 202)]>>
  : never;
type JsonAnswer<R> = R extends { content: { 'application/json': infer B } } ? B : never;
/** Nothing where the operation answers no JSON. */
type OneOf<T> = [T] extends [never] ? undefined : T;

type ItemOf<T> =
  Extract<T, { data: readonly unknown[] }> extends { data: readonly (infer Item)[] } ? Item : never;
