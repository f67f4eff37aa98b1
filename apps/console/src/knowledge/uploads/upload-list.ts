import type { ApiProblem } from '../../api/problem.js';
import type { KnowledgeDocument } from '../../api/types.js';

interface Chosen {
  readonly key: string;
  readonly datasourceId: number;
  readonly file: File;
}

/** A file on its way into a datasource. */
export type Upload = Chosen &
  (
    | { readonly state: 'waiting' }
    | { readonly state: 'sending'; readonly sent: number; readonly total: number }
    | { readonly state: 'given'; readonly document: KnowledgeDocument }
    | { readonly state: 'refused'; readonly problem: ApiProblem }
  );

/** The first uploads that can be begun without more than `atOnce` at the same time. Pure. */
export function uploadsToBegin(uploads: readonly Upload[], atOnce: number): readonly Upload[] {
  const sending = uploads.filter(({ state }) => state === 'sending').length;
  return uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, atOnce - sending));
}

/** Whether leaving the page now would lose something. Pure. */
export const isAnyOpen = (uploads: readonly Upload[]): boolean =>
  uploads.some(({ state }) => state === 'waiting' || state === 'sending');

/** Uploads whose documents are to be followed: the first ones that are not over, since a browser holds few streams. Pure. */
export function followedKeys(uploads: readonly Upload[], atOnce: number): ReadonlySet<string> {
  const open = uploads.filter(
    (upload) =>
      upload.state === 'given' && upload.document.state !== 'ready' && upload.document.state !== 'failed',
  );
  return new Set(open.slice(0, atOnce).map(({ key }) => key));
}

/** Part of the bytes that is sent, from 0 to 1. Pure. */
export const sentPart = (sent: number, total: number): number =>
  total === 0 ? 0 : Math.min(1, sent / total);
