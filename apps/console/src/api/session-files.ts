import { queryOptions } from '@tanstack/react-query';
import { readAllPages } from './all-pages.js';
import { answerOf, api } from './client.js';
import type { SessionFile } from './types.js';
import { uploadFile } from './upload.js';

/** Agents write files while the page is open. */
const REFRESH_MS = 5_000;

/** Address of the bytes of a file, which the browser saves. */
export const sessionFileUrl = (uuid: string, path: string): string =>
  `/api/sessions/${encodeURIComponent(uuid)}/files/${encodeURIComponent(path)}/`;

/** All files of a session by path; a session has few. */
export const sessionFilesQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['session', uuid, 'files'],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) =>
      readAllPages((query) =>
        answerOf(api.GET('/api/sessions/{uuid}/files/', { params: { path: { uuid }, query }, signal })),
      ),
  });

/** The bytes of a file; they are the same for as long as its SHA-256 is. */
export const sessionFileBytesQuery = (uuid: string, { path, sha256 }: SessionFile) =>
  queryOptions({
    queryKey: ['session', uuid, 'file', path, sha256],
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: async ({ signal }): Promise<Uint8Array> => {
      const params = { path: { uuid, path } };
      const answer = api.GET('/api/sessions/{uuid}/files/{path}/', {
        params,
        parseAs: 'arrayBuffer',
        signal,
      });
      return new Uint8Array(await answerOf(answer as Promise<{ data?: ArrayBuffer; response: Response }>));
    },
  });

/** Place of a file in a session. */
export interface SessionFilePlace {
  readonly uuid: string;
  readonly path: string;
  readonly replaced: Replaced;
}

/**
 * Contents that a file takes the place of, by their SHA-256; `nothing`: it is new; `another upload`: one that is on its way
 * to the same path, which may arrive before or after it.
 */
export type Replaced = { readonly sha256: string } | 'nothing' | 'another upload';

interface Putting extends SessionFilePlace {
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onProgress: (sent: number, total: number) => void;
}

/** Writes a file over the contents that were seen, or where there were none. @throws {ApiProblem} */
export function putSessionFile({ uuid, path, replaced, ...rest }: Putting): Promise<unknown> {
  const headers = conditionOf(replaced);
  return uploadFile({ method: 'PUT', path: sessionFileUrl(uuid, path), fields: {}, headers, ...rest });
}

function conditionOf(replaced: Replaced): Readonly<Record<string, string>> {
  if (replaced === 'another upload') return {};
  return replaced === 'nothing' ? { 'If-None-Match': '*' } : ifMatch(replaced.sha256);
}

/** Deletes a file at once, if it has the contents that were seen. @throws {ApiProblem} */
export async function deleteSessionFile(uuid: string, { path, sha256 }: SessionFile): Promise<void> {
  const params = { path: { uuid, path }, header: ifMatch(sha256) };
  await answerOf(api.DELETE('/api/sessions/{uuid}/files/{path}/', { params }));
}

const ifMatch = (sha256: string) => ({ 'If-Match': `"${sha256}"` });
