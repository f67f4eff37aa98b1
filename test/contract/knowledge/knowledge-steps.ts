import { createHash, randomUUID } from 'node:crypto';
import {
  embeddedText,
  type ClaimedIngestion,
  type DocumentSource,
  type DocumentWarning,
  type HashedChunk,
  type NewDocument,
} from '#libs/knowledge';
import type { KnowledgeBackend } from './knowledge-backend.js';

export const AMPLE = { documents: 1_000, bytes: 1_000_000, chunks: 1_000 };
export const LEASE_MS = 60_000;
export const TAKE = { queueTarget: 100, tenantTarget: 100, redispatchAfterMs: 60_000 };

export function anUpload(overrides: { readonly sizeBytes?: number } = {}): DocumentSource {
  const blobKey = `default/${randomUUID()}`;
  const original = { blobKey, sizeBytes: overrides.sizeBytes ?? 10, contentHash: sha256('whole') };
  return { source: 'upload', original, fileName: 'a.md', mediaType: 'text/markdown' };
}

export function aDocument(datasourceId: number, overrides: Partial<NewDocument> = {}): NewDocument {
  const ids = { documentId: randomUUID(), ingestionId: randomUUID() };
  return { ...ids, tenantId: 'default', datasourceId, title: 'A', given: anUpload(), ...overrides };
}

export function aChunk(ordinal: number, text: string): HashedChunk {
  const chunk = { ordinal, text, repeatedChars: 0, headings: ['H'], page: null, tokens: 1 };
  return { ...chunk, contentHash: sha256(embeddedText(chunk)) };
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export const aVector = (): Buffer => Buffer.from([0, 60, 0, 0]);

/** Accepts and claims a document. */
export async function claimed(
  backend: KnowledgeBackend,
  overrides: Partial<NewDocument> = {},
): Promise<ClaimedIngestion> {
  const document = aDocument(backend.datasourceId, overrides);
  await backend.documents.accept(document, AMPLE);
  return claim(backend, document.ingestionId);
}

export async function claim(backend: KnowledgeBackend, ingestionId: string): Promise<ClaimedIngestion> {
  const held = await backend.ingestions.claim(ingestionId, randomUUID(), LEASE_MS);
  if (held === null) throw new Error('expected a claim');
  return held;
}

export async function addChunks(
  { ingestions }: KnowledgeBackend,
  held: ClaimedIngestion,
  texts: readonly string[],
  warnings: readonly DocumentWarning[] = [],
): Promise<void> {
  await ingestions.beginChunks(held, 'text');
  await ingestions.addChunks(
    held,
    texts.map((text, ordinal) => aChunk(ordinal, text)),
    AMPLE,
  );
  await ingestions.endChunks(held, warnings);
}

/** Embeds all texts without a vector in one call; returns these texts. */
export async function embed(
  { ingestions }: KnowledgeBackend,
  held: ClaimedIngestion,
): Promise<readonly string[]> {
  const missing = await ingestions.findUnembedded(held, 100);
  const call = (await ingestions.beginCall(held)) ?? 0;
  const usage = { call, state: 'known', model: 'm', inputTokens: 5, costUsd: null } as const;
  await ingestions.endCall(
    held,
    usage,
    missing.map(({ contentHash }) => ({ contentHash, vector: aVector() })),
  );
  return missing.map(({ text }) => text);
}

/** Accepts a document and ingests it until it is ready. */
export async function ingest(
  backend: KnowledgeBackend,
  texts: readonly string[],
  overrides: Partial<NewDocument> = {},
): Promise<ClaimedIngestion> {
  const held = await claimed(backend, overrides);
  await finish(backend, held, texts);
  return held;
}

export async function finish(
  backend: KnowledgeBackend,
  held: ClaimedIngestion,
  texts: readonly string[],
): Promise<void> {
  await addChunks(backend, held, texts);
  await embed(backend, held);
  await backend.ingestions.publish(held);
}
