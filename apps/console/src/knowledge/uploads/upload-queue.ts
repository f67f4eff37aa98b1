import { useSyncExternalStore } from 'react';
import type { KnowledgeDocument } from '../../api/types.js';
import { uploadFile } from '../../api/upload.js';
import type { Upload } from '../../api/upload-list.js';
import { UploadQueue } from '../../api/upload-queue.js';

interface Place {
  readonly datasourceId: number;
}

/** A file on its way into a datasource. */
export type DocumentUpload = Upload<Place, KnowledgeDocument>;

/** Files on their way into all datasources. */
export const documentUploads = new UploadQueue<Place, KnowledgeDocument>(
  async ({ key, file, place: { datasourceId } }, sending) =>
    (await uploadFile({
      method: 'POST',
      path: '/api/documents/',
      fields: { datasource_id: String(datasourceId) },
      file,
      headers: { 'Idempotency-Key': key },
      ...sending,
    })) as KnowledgeDocument,
);

export const useDocumentUploads = (): readonly DocumentUpload[] =>
  useSyncExternalStore(documentUploads.subscribe, documentUploads.getUploads);

/** Keeps the latest known state of a document that was uploaded here. */
export function keepDocument(document: KnowledgeDocument): void {
  documentUploads.renew((given) => (given.id === document.id ? document : given));
}

/** Uploads whose documents are to be followed: the first ones that are not over, since a browser holds few streams. Pure. */
export function followedKeys(uploads: readonly DocumentUpload[], atOnce: number): ReadonlySet<string> {
  const open = uploads.filter(
    (upload) => upload.state === 'given' && upload.given.state !== 'ready' && upload.given.state !== 'failed',
  );
  return new Set(open.slice(0, atOnce).map(({ key }) => key));
}
