import { randomUUID } from 'node:crypto';
import { FileBlobs } from '#libs/blob-store';
import { blobKeyOf, TOO_LARGE, type DocumentSource } from '#libs/knowledge';
import { DocumentChangesStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';

const AMPLE = { documents: 1_000, bytes: 1_000_000_000, chunks: 1_000_000 };

export interface GivenDocument {
  readonly documentId: string;
  readonly ingestionId: string;
}

/** Stores a Markdown document for ingestion, as an upload does. */
export async function giveDocument(
  dataSource: DataSource,
  {
    folder,
    datasourceId,
    title,
    text,
  }: {
    /** `DOCUMENTS_ROOT` of the workers. */
    readonly folder: string;
    readonly datasourceId: number;
    readonly title: string;
    readonly text: string;
  },
): Promise<GivenDocument> {
  return acceptDocument(dataSource, { datasourceId, title, given: await upload(folder, text) });
}

export async function acceptDocument(
  dataSource: DataSource,
  fields: { readonly datasourceId: number; readonly title: string; readonly given: DocumentSource },
): Promise<GivenDocument> {
  const ids = { documentId: randomUUID(), ingestionId: randomUUID() };
  const accepted = await new DocumentChangesStore(dataSource).accept(
    { ...ids, ...fields, tenantId: 'default' },
    AMPLE,
  );
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  return ids;
}

/** Stores a new generation of a document, as an upload does. Returns the id of its ingestion. */
export async function replaceDocument(
  dataSource: DataSource,
  {
    folder,
    documentId,
    text,
  }: { readonly folder: string; readonly documentId: string; readonly text: string },
): Promise<string> {
  const given = await upload(folder, text);
  const ingestionId = randomUUID();
  const whose = { tenantId: 'default', documentId, title: null, expected: null };
  const accepted = await new DocumentChangesStore(dataSource).replace(
    { ...whose, ingestionId, given },
    AMPLE,
  );
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  return ingestionId;
}

async function upload(folder: string, text: string): Promise<DocumentSource> {
  const blobKey = blobKeyOf('default', randomUUID());
  const written = await new FileBlobs(folder, () => Promise.resolve([])).write(blobKey, oneByOne(text), {
    mostBytes: 100_000_000,
  });
  if (written === TOO_LARGE) throw new Error('too large');
  return { source: 'upload', original: { blobKey, ...written }, fileName: 'a.md', mediaType: null };
}

async function* oneByOne(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}
