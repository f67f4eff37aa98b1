import { ApiPromise, type ApiAnswer } from './api-promise.js';
import type { UploadOptions } from './call-options.js';
import type { Resource, Row } from './operations.js';
import { PagePromise } from './page.js';
import { pathOf, textOf } from './path-of.js';
import type { Transport } from './transport.js';

/** Items of a page unless the caller says otherwise: as many as the service allows. */
const PAGE_LIMIT = 100;

type Fields = Readonly<Record<string, unknown>>;

/** The methods of a resource. */
export function bind<R extends Readonly<Record<string, Row>>>(rows: R, transport: Transport): Resource<R> {
  const methods = Object.entries(rows).map(([name, row]) => [name, methodOf(row, transport)]);
  return Object.fromEntries(methods) as Resource<R>;
}

/** Takes the parameters of the path, the input where the operation takes one, and the options of the call. */
function methodOf(row: Row, transport: Transport): (...args: unknown[]) => unknown {
  const inPath = row.path.split('{').length - 1;
  const takesInput = row.kind !== 'bare' && row.kind !== 'bytes';
  return (...args) => {
    const place = args.slice(0, inPath);
    const input = (takesInput ? args[inPath] : undefined) as Fields | undefined;
    const options = args[inPath + (takesInput ? 1 : 0)] as UploadOptions | undefined;
    const send = (fields: Fields | undefined): Promise<ApiAnswer<unknown>> =>
      transport.send(requestOf(row, place, fields, options));
    if (row.kind !== 'page') return new ApiPromise(send(input));
    return new PagePromise((cursor) => {
      const after = cursor === null ? {} : { cursor };
      return send({ limit: PAGE_LIMIT, ...input, ...after }) as ReturnType<ReadPage>;
    });
  };
}

type ReadPage = ConstructorParameters<typeof PagePromise>[0];

function requestOf(
  { method, path, kind }: Row,
  place: readonly unknown[],
  input: Fields | undefined,
  options: UploadOptions | undefined,
): Parameters<Transport['send']>[0] {
  const common = { method: method.toUpperCase(), options, keepsBody: kind === 'bytes' };
  if (method === 'get' || method === 'delete') return { ...common, path: pathOf(path, place, input) };
  const body = kind === 'form' ? formOf(input ?? {}) : kind === 'input' ? (input ?? {}) : undefined;
  return { ...common, path: pathOf(path, place), body };
}

/** A form with its file last, because the service reads the fields before it. */
function formOf({ file, ...fields }: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) form.append(name, textOf(value));
  }
  if (file instanceof File) form.append('file', file, file.name);
  else form.append('file', file as Blob);
  return form;
}
