import { randomUUID } from 'node:crypto';
import { FileBlobs } from '#libs/blob-store';
import { blobKeyOf, TOO_LARGE } from '#libs/knowledge';
import { DocumentChangesStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';

const AMPLE = { documents: 1_000, bytes: 1_000_000_000, chunks: 1_000_000 };

export interface GivenDocument {
  readonly documentId: string;
  readonly ingestionId: string;
}

/** A document in Markdown that workers are to take in, as an upload leaves it. */
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
  const blobKey = blobKeyOf('default', randomUUID());
  const written = await new FileBlobs(folder).write(blobKey, oneByOne(text), { mostBytes: 100_000_000 });
  if (written === TOO_LARGE) throw new Error('too large');
  const ids = { documentId: randomUUID(), ingestionId: randomUUID() };
  const original = { blobKey, ...written };
  const given = { source: 'upload', original, fileName: 'a.md', mediaType: null } as const;
  const accepted = await new DocumentChangesStore(dataSource).accept(
    { ...ids, tenantId: 'default', datasourceId, title, given },
    AMPLE,
  );
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  return ids;
}

async function* oneByOne(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}
