import type { RequestOptions } from './http-client.js';

/** A part of a form; only a file has a `fileName`. */
export type Part = readonly [name: string, value: string | Uint8Array<ArrayBuffer>, fileName?: string];

/** Options of a request that sends these parts in this order as `multipart/form-data`. */
export async function sentForm(
  method: string,
  parts: readonly Part[],
): Promise<Required<Pick<RequestOptions, 'method' | 'raw' | 'headers'>>> {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (fileName !== undefined) form.append(name, new Blob([value], { type: 'text/markdown' }), fileName);
    else if (typeof value === 'string') form.append(name, value);
  }
  const body = new Response(form);
  const headers = { 'content-type': body.headers.get('content-type') ?? '' };
  return { method, raw: new Uint8Array(await body.arrayBuffer()), headers };
}
