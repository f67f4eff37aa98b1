import { assertNever } from '#libs/kernel';
import { Chunker } from '../chunks/chunker.js';
import { embeddedText, type Chunk } from '../chunks/chunk.js';
import type { ParsedBlock } from '../chunks/parsed-block.js';
import type { DocumentWarning } from '../documents/document-warning.js';
import type { IngestionState, IngestionStep } from '../documents/ingestion-state.js';
import type { KnowledgeQuota } from '../documents/quota.js';
import { blobKeyOf, BlobStoreUnavailableError, TOO_LARGE, type BlobStore } from '../ports/blob-store.js';
import { FetchDocumentError, type DocumentFetcher } from '../ports/document-fetcher.js';
import { ReaderLostError, UnreadableDocumentError, type DocumentParser } from '../ports/document-parser.js';
import type { DocumentStore, Original } from '../ports/document-store.js';
import type {
  ClaimedIngestion,
  Fenced,
  HashedChunk,
  IngestionStore,
  Setback,
} from '../ports/ingestion-store.js';
import type { CountTokens } from '../ports/token-counter.js';
import { EmbedTexts, type EmbedDependencies } from './embed-texts.js';
import {
  errorOfFault,
  errorOfQuota,
  MAX_LOSSES,
  ORIGINAL_LOST,
  READERS_LOST,
  STORE_AWAY,
  TOO_LARGE_ERROR,
  UNFORESEEN,
  type IngestionError,
} from './ingestion-error.js';
import { checkedBytes } from './checked-bytes.js';
import { retryAfter } from './retry-after.js';

export interface StepDependencies extends EmbedDependencies {
  readonly ingestions: IngestionStore;
  readonly documents: Pick<DocumentStore, 'announceBlob' | 'forgetBlobs'>;
  readonly blobs: BlobStore;
  readonly fetcher: DocumentFetcher;
  readonly parser: DocumentParser;
  /** Counts tokens by the model's tokenizer, or the nearest known one. */
  readonly countTokensOf: (embedModel: string) => Promise<CountTokens>;
  readonly sha256: (text: string) => Buffer;
  /** Incremental SHA-256. */
  readonly hasher: () => { update(bytes: Uint8Array): unknown; digest(): Buffer };
  readonly newId: () => string;
  /** Yields to the event loop, e.g. `setImmediate`. */
  readonly letOthersRun: () => Promise<unknown>;
  readonly quota: KnowledgeQuota;
  readonly mostDocumentBytes: number;
  /** True if the error comes from an unavailable service, such as the database, and not from the document. */
  readonly isOutage: (error: unknown) => boolean;
}

/** State after a step; null if this worker has nothing left to do. */
type Next = { readonly state: IngestionState; readonly hasOriginal: boolean } | null;

interface Failure {
  readonly isPassing: boolean;
  readonly retryAfterMs: number | null;
  /** Consecutive failures before this one. */
  readonly tries: number;
  readonly hardlyPasses?: boolean;
}

/** Chunks per database write. */
const CHUNKS_AT_ONCE = 200;
/** Chunks made before yielding to the event loop: one block may be a whole document. */
const CHUNKS_IN_A_TURN = 10;
/** Milliseconds until an announced blob that no document has taken over is deleted. */
const ANNOUNCED_MS = 3_600_000;
/** Milliseconds to wait after an outage, and the minimum after an unexpected error. */
const SURPRISED_MS = 30_000;

/** Steps of one claim. All writes are fenced by the claim; each step returns the new state. */
export class IngestionSteps {
  /** Aborts fetching and parsing on drain, or once the claim is lost. */
  private readonly stop: AbortSignal;
  /** Consecutive failures; reset by a success. */
  private tries: number;

  constructor(
    private readonly given: StepDependencies,
    private held: ClaimedIngestion,
    private readonly drain: AbortSignal,
    private readonly lost: AbortSignal,
  ) {
    this.stop = AbortSignal.any([drain, lost]);
    this.tries = held.tries;
  }

  async take(step: IngestionStep): Promise<Next> {
    if (this.drain.aborted) return this.putOff(0);
    switch (step) {
      case 'fetching':
        return this.fetch();
      case 'parsing':
      case 'chunking':
        return this.makeChunks();
      case 'embedding':
        return this.embed();
      case 'indexing':
        return this.publish();
      default:
        return assertNever(step);
    }
  }

  /**
   * Handles an unexpected error: outages are waited out without limit, other errors are retried a limited number of
   * times.
   */
  async endSurprised(error: unknown): Promise<void> {
    if (this.drain.aborted) await this.putOff(0);
    else if (error instanceof BlobStoreUnavailableError)
      await this.putOff(SURPRISED_MS, { ...STORE_AWAY, isTry: false });
    else if (this.given.isOutage(error)) await this.putOff(SURPRISED_MS);
    else
      await this.failOrRetry(UNFORESEEN, { isPassing: true, retryAfterMs: SURPRISED_MS, tries: this.tries });
  }

  private async fetch(): Promise<Next> {
    const { ingestions, documents, blobs, fetcher, newId, quota, mostDocumentBytes } = this.given;
    const { tenantId, url } = this.held;
    if (url === null) return this.fail(ORIGINAL_LOST);
    if ((await ingestions.begin(this.held, 'fetching')) === 'lost') return null;
    const blobKey = blobKeyOf(tenantId, newId());
    await documents.announceBlob(tenantId, blobKey, ANNOUNCED_MS);
    try {
      const { bytes, mediaType, fileName } = await fetcher.fetch(url, this.stop);
      const written = await blobs.write(blobKey, bytes, { mostBytes: mostDocumentBytes });
      if (written === TOO_LARGE) {
        await this.drop(blobKey);
        return await this.fail(TOO_LARGE_ERROR);
      }
      const original = { blobKey, ...written };
      const kept = await ingestions.keepOriginal(this.held, { original, mediaType, fileName }, quota);
      if (kept !== 'written') await this.drop(blobKey);
      if (kept === 'lost') return null;
      if (kept !== 'written') return await this.fail(errorOfQuota(kept.overQuota));
      this.held = { ...this.held, original, mediaType, fileName };
      this.tries = 0;
      return { state: 'parsing', hasOriginal: true };
    } catch (error) {
      if (this.drain.aborted) return this.putOff(0);
      if (!(error instanceof FetchDocumentError)) throw error;
      const { message, isPassing, retryAfterMs, hardlyPasses } = error;
      const failure = { isPassing, retryAfterMs, hardlyPasses, tries: this.tries };
      return this.failOrRetry({ code: 'DOCUMENT_NOT_FETCHED', text: message }, failure);
    }
  }

  /** Deletes an unreferenced blob; on failure the cleanup deletes it later. */
  private async drop(blobKey: string): Promise<void> {
    try {
      await this.given.blobs.remove(blobKey);
      await this.given.documents.forgetBlobs([blobKey]);
    } catch {
      // The blob stays on the cleanup list.
    }
  }

  private async makeChunks(): Promise<Next> {
    const { ingestions, blobs, parser, hasher } = this.given;
    const { original, fileName, mediaType } = this.held;
    if ((await ingestions.begin(this.held, 'parsing')) === 'lost') return null;
    const bytes = original === null ? null : await blobs.read(original.blobKey);
    if (original === null || bytes === null) return this.fail(ORIGINAL_LOST);
    let warnings: readonly DocumentWarning[];
    const checked = checkedBytes(bytes, original.contentHash, hasher());
    try {
      const parsed = await parser.parse(checked.bytes, { fileName, mediaType }, this.stop);
      if (!checked.isSame()) return await this.fail(ORIGINAL_LOST);
      if ((await ingestions.beginChunks(this.held, parsed.kind)) === 'lost') return null;
      for await (const chunks of this.chunksOf(parsed.blocks)) {
        const added = await ingestions.addChunks(this.held, chunks, this.given.quota);
        if (added === 'lost') return null;
        if (added !== 'written') return await this.fail(errorOfQuota(added.overQuota));
      }
      ({ warnings } = parsed);
    } catch (error) {
      if (this.drain.aborted) return this.putOff(0);
      if (error instanceof UnreadableDocumentError) {
        const isSame = checked.isSame() || (await this.isThere(original));
        return this.fail(isSame ? errorOfFault(error.fault) : ORIGINAL_LOST);
      }
      if (!(error instanceof ReaderLostError)) throw error;
      const { tries } = this;
      const isPassing = tries + 1 < MAX_LOSSES;
      return this.failOrRetry(READERS_LOST, { isPassing, retryAfterMs: null, tries });
    }
    this.tries = 0;
    return after(await ingestions.endChunks(this.held, warnings), 'embedding');
  }

  /**
   * A failed parser may have stopped before the end, so the whole blob is hashed to see if the original is still
   * intact.
   */
  private async isThere({ blobKey, contentHash }: Original): Promise<boolean> {
    const bytes = await this.given.blobs.read(blobKey);
    if (bytes === null) return false;
    const hash = this.given.hasher();
    for await (const part of bytes) hash.update(part);
    return hash.digest().equals(contentHash);
  }

  private async *chunksOf(
    batches: AsyncIterable<readonly ParsedBlock[]>,
  ): AsyncGenerator<readonly HashedChunk[]> {
    const { chunkTokens, overlapTokens, embedModel } = this.held.settings;
    const limits = { tokens: chunkTokens, overlapTokens };
    const chunker = new Chunker(limits, await this.given.countTokensOf(embedModel));
    const ready: HashedChunk[] = [];
    for await (const blocks of batches) {
      for (const chunk of chunksOfAll(chunker, blocks)) {
        ready.push(this.hashed(chunk));
        if (ready.length % CHUNKS_IN_A_TURN === 0) await this.given.letOthersRun();
        if (ready.length === CHUNKS_AT_ONCE) yield ready.splice(0);
      }
    }
    ready.push(...chunker.end().map((chunk) => this.hashed(chunk)));
    if (ready.length > 0) yield ready;
  }

  private hashed(chunk: Chunk): HashedChunk {
    return { ...chunk, contentHash: this.given.sha256(embeddedText(chunk)) };
  }

  private async embed(): Promise<Next> {
    const texts = new EmbedTexts(this.given, { ...this.held, tries: this.tries }, this.drain, this.lost);
    const ending = await texts.run().finally(() => (this.tries = texts.failuresInRow));
    switch (ending.kind) {
      case 'done':
        return { state: 'indexing', hasOriginal: true };
      case 'lost':
        return null;
      case 'put_off':
        return this.putOff(ending.delayMs);
      case 'failed':
        return this.failOrRetry(ending.error, ending);
      default:
        return assertNever(ending);
    }
  }

  private async publish(): Promise<Next> {
    const { ingestions } = this.given;
    if ((await ingestions.begin(this.held, 'indexing')) === 'lost') return null;
    const published = await ingestions.publish(this.held);
    return published === 'incomplete' ? { state: 'embedding', hasOriginal: true } : null;
  }

  private async failOrRetry(error: IngestionError, failure: Failure): Promise<Next> {
    const { isPassing, retryAfterMs, tries, hardlyPasses } = failure;
    const delayMs = isPassing ? retryAfter(tries, retryAfterMs, hardlyPasses) : null;
    return delayMs === null ? this.fail(error) : this.putOff(delayMs, { ...error, isTry: true });
  }

  private async fail(error: IngestionError): Promise<null> {
    await this.given.ingestions.fail(this.held, error);
    return null;
  }

  private async putOff(delayMs: number, setback: Setback | null = null): Promise<null> {
    await this.given.ingestions.putOff(this.held, delayMs, setback);
    return null;
  }
}

function after(written: Fenced, state: IngestionState): Next {
  return written === 'lost' ? null : { state, hasOriginal: true };
}

function* chunksOfAll(chunker: Chunker, blocks: readonly ParsedBlock[]): Generator<Chunk> {
  for (const block of blocks) yield* chunker.add(block);
}
