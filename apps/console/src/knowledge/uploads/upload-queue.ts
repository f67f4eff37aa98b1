import { useSyncExternalStore } from 'react';
import { problemOf } from '../../api/problem.js';
import type { KnowledgeDocument } from '../../api/types.js';
import { uploadFile } from '../../api/upload.js';
import { isAnyOpen, uploadsToBegin, type Upload } from './upload-list.js';

const AT_ONCE = 2;

let uploads: readonly Upload[] = [];
const stops = new Map<string, AbortController>();
const listeners = new Set<() => void>();

/** Adds files to those that are sent, two at a time. They go on while other screens are open. */
export function addUploads(datasourceId: number, files: readonly File[]): void {
  const added = files.map((file): Upload => ({
    key: crypto.randomUUID(),
    datasourceId,
    file,
    state: 'waiting',
  }));
  change([...uploads, ...added]);
}

/** Sends a refused file again under its key, so that one that had arrived after all is not kept twice. */
export function retryUpload(key: string): void {
  replace(key, ({ datasourceId, file }) => ({ key, datasourceId, file, state: 'waiting' }));
}

/** Takes an upload off the list, and stops it where it is under way. */
export function dropUpload(key: string): void {
  stops.get(key)?.abort();
  change(uploads.filter((upload) => upload.key !== key));
}

/** Keeps the latest known state of a document that was uploaded here. */
export function keepDocument(document: KnowledgeDocument): void {
  change(
    uploads.map((upload) =>
      upload.state === 'given' && upload.document.id === document.id ? { ...upload, document } : upload,
    ),
  );
}

/** Uploads of all datasources. */
export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, () => uploads);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function replace(key: string, next: (upload: Upload) => Upload): void {
  change(uploads.map((upload) => (upload.key === key ? next(upload) : upload)));
}

function change(next: readonly Upload[]): void {
  uploads = next;
  window.onbeforeunload = isAnyOpen(next) ? (event) => event.preventDefault() : null;
  listeners.forEach((listener) => listener());
  for (const upload of uploadsToBegin(next, AT_ONCE)) void send(upload);
}

async function send({ key, datasourceId, file }: Upload): Promise<void> {
  const chosen = { key, datasourceId, file };
  const stop = new AbortController();
  stops.set(key, stop);
  replace(key, () => ({ ...chosen, state: 'sending', sent: 0, total: file.size }));
  try {
    const document = (await uploadFile({
      method: 'POST',
      path: '/api/documents/',
      fields: { datasource_id: String(datasourceId) },
      file,
      headers: { 'Idempotency-Key': key },
      signal: stop.signal,
      onProgress: (sent, total) => replace(key, () => ({ ...chosen, state: 'sending', sent, total })),
    })) as KnowledgeDocument;
    replace(key, () => ({ ...chosen, state: 'given', document }));
  } catch (error) {
    replace(key, () => ({ ...chosen, state: 'refused', problem: problemOf(error) }));
  } finally {
    stops.delete(key);
  }
}
