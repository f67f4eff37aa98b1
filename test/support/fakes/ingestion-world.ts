import { createHash, randomUUID } from 'node:crypto';
import type { Timers } from '#libs/kernel';
import {
  blobKeyOf,
  DocumentFetcher,
  DocumentParser,
  Embedder,
  FetchDocumentError,
  IngestDocument,
  TOO_LARGE,
  ReaderLostError,
  UnreadableDocumentError,
  type DocumentWarning,
  type Embeddings,
  type FetchedDocument,
  type ParsedBlock,
  type ParsedDocument,
} from '#libs/knowledge';
import { InMemoryBlobs } from './knowledge/in-memory-blobs.js';
import { InMemoryDocuments } from './knowledge/in-memory-documents.js';
import { InMemoryIngestions } from './knowledge/in-memory-ingestions.js';
import { InMemoryKnowledge } from './knowledge/in-memory-knowledge.js';

export const AMPLE = { documents: 100, bytes: 100_000, chunks: 100 };
const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

export const A_WARNING: DocumentWarning = { code: 'no_text_on_page', pages: [2], page_count: 1 };

/**
 * Parses every line as a block; a text with `~` has a warning, the text `!` is unreadable, and `?` is refused before its
 * end.
 */
class LineParser extends DocumentParser {
  /** The number of parses that still end as if their process was killed. */
  losses = 0;
  /** Called during each parse. */
  meanwhile: (signal: AbortSignal) => unknown = () => undefined;

  override async parse(
    bytes: AsyncIterable<Uint8Array>,
    _hints: unknown,
    signal: AbortSignal,
  ): Promise<ParsedDocument> {
    const parts: Uint8Array[] = [];
    for await (const part of bytes) {
      parts.push(part);
      if (part[0] === '?'.charCodeAt(0)) throw new UnreadableDocumentError('unsupported_type');
    }
    await this.meanwhile(signal);
    const text = Buffer.concat(parts).toString();
    if (this.losses > 0) {
      this.losses -= 1;
      throw new ReaderLostError();
    }
    if (text === '!') throw new UnreadableDocumentError('damaged');
    const blocks = text.split('\n').map((line): ParsedBlock => ({ kind: 'text', text: line }));
    const warnings = text.includes('~') ? [A_WARNING] : [];
    return { kind: 'text', blocks: oneByOne(blocks), warnings };
  }
}

async function* oneByOne(blocks: readonly ParsedBlock[]): AsyncGenerator<readonly ParsedBlock[]> {
  for (const block of blocks) yield await Promise.resolve([block]);
}

/** Answers with vectors for the texts, unless a test has planned another result. */
class PlannedEmbedder extends Embedder {
  override readonly mostTexts = 2;
  readonly asked: string[][] = [];
  readonly plan: (Embeddings | Error | (() => unknown))[] = [];

  override async embed(texts: readonly string[], dimensions: number): Promise<Embeddings> {
    this.asked.push([...texts]);
    const planned = this.plan.shift();
    if (planned instanceof Error) throw planned;
    if (typeof planned === 'function') await planned();
    else if (planned !== undefined) return planned;
    const vectors = texts.map(() => new Float32Array(dimensions).fill(1));
    return { vectors, inputTokens: texts.length, model: 'm-1' };
  }
}

class PlannedFetcher extends DocumentFetcher {
  plan: FetchedDocument | Error = new FetchDocumentError('nothing planned', false);
  /** The signal that can abort each fetch. */
  readonly signals: AbortSignal[] = [];
  /** Called during each fetch. */
  meanwhile: (signal: AbortSignal) => unknown = () => undefined;

  override async fetch(_url: string, signal: AbortSignal): Promise<FetchedDocument> {
    this.signals.push(signal);
    await this.meanwhile(signal);
    return this.plan instanceof Error ? await Promise.reject(this.plan) : this.plan;
  }
}

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

/** Timers that fire when a test advances them. */
class Ticking implements Timers {
  private acts: (() => void)[] = [];

  after(_ms: number, act: () => void): () => void {
    this.acts.push(act);
    return () => (this.acts = this.acts.filter((other) => other !== act));
  }

  tick(): void {
    for (const act of this.acts.splice(0)) act();
  }
}

/** Calls `onWritten` after each write of a blob. */
class WatchedBlobs extends InMemoryBlobs {
  onWritten: () => unknown = () => undefined;

  override async write(...given: Parameters<InMemoryBlobs['write']>): ReturnType<InMemoryBlobs['write']> {
    const written = await super.write(...given);
    this.onWritten();
    return written;
  }
}

/** Documents in memory, and all parts of their ingestion. */
export class IngestionWorld {
  readonly knowledge = new InMemoryKnowledge();
  readonly documents = new InMemoryDocuments(this.knowledge);
  readonly ingestions = new InMemoryIngestions(this.knowledge);
  readonly blobs = new WatchedBlobs(sha256);
  readonly embedder = new PlannedEmbedder();
  readonly fetcher = new PlannedFetcher();
  readonly parser = new LineParser();
  readonly timers = new Ticking();
  /** The number of turns of the event loop that were yielded to other work. */
  turns = 0;
  readonly surprises: unknown[] = [];
  readonly drain = new AbortController();
  quota = AMPLE;
  mostBytes = 1_000;
  waitMs: number | null = null;
  /** The error of a temporary outage, however long it lasts. */
  outage: Error | null = null;

  constructor() {
    const settings = { llmId: 1, embedModel: 'm', dimensions: 3, chunkTokens: 4, overlapTokens: 0 };
    this.knowledge.datasources.set(1, { tenantId: 'default', ...settings });
  }

  async give(text: string, overrides: { readonly keep?: boolean } = {}): Promise<string> {
    const blobKey = blobKeyOf('default', randomUUID());
    const written = await this.blobs.write(blobKey, bytesOf(text), { mostBytes: 1_000 });
    if (written === TOO_LARGE) throw new Error('too large');
    if (overrides.keep === false) await this.blobs.remove(blobKey);
    const original = { blobKey, ...written };
    return this.accept({ source: 'upload', original, fileName: 'a.txt', mediaType: null });
  }

  giveUrl(): Promise<string> {
    return this.accept({ source: 'url', url: 'https://x.test/a' });
  }

  /** Runs a job for the ingestion as often as it is due. */
  async run(ingestionId: string): Promise<void> {
    await new IngestDocument({
      ...{ ingestions: this.ingestions, documents: this.documents, blobs: this.blobs },
      ...{ fetcher: this.fetcher, parser: this.parser, quota: this.quota, mostDocumentBytes: this.mostBytes },
      countTokensOf: () => Promise.resolve((text) => (text.match(/\S+/g) ?? []).length),
      sha256,
      hasher: () => createHash('sha256'),
      newId: randomUUID,
      newToken: randomUUID,
      letOthersRun: () => Promise.resolve((this.turns += 1)),
      serviceOf: () => Promise.resolve({ embedder: this.embedder, costOf: (tokens) => `0.${tokens}` }),
      limitOf: () => Promise.resolve(this.waitMs),
      ...{ timers: this.timers, leaseMs: 30_000 },
      isOutage: (error) => error === this.outage,
      onSurprise: (error) => this.surprises.push(error),
    }).execute(ingestionId, this.drain.signal);
  }

  of(ingestionId: string) {
    const kept = this.knowledge.ingestions.get(ingestionId);
    if (kept === undefined) throw new Error('it is gone');
    return kept;
  }

  private async accept(given: Parameters<InMemoryDocuments['accept']>[0]['given']): Promise<string> {
    const ids = { documentId: randomUUID(), ingestionId: randomUUID() };
    await this.documents.accept({ ...ids, tenantId: 'default', datasourceId: 1, title: 'A', given }, AMPLE);
    return ids.ingestionId;
  }
}
