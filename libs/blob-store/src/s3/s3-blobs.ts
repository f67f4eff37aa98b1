import type { Dispatcher } from 'undici';
import type { S3Config } from '#libs/config';
import { BlobStore, TOO_LARGE, type WrittenBlob } from '#libs/knowledge';
import { assertBlobKey } from '../blob-key.js';
import { bucketAddress, objectAddress } from './object-address.js';
import { isPassing, S3Error } from './s3-failure.js';
import { S3Requests, type S3Dependencies } from './s3-requests.js';
import { spool, type SpooledBytes } from './spooled-bytes.js';

export type { S3Dependencies } from './s3-requests.js';

/** How often a download that breaks off without having brought anything goes on. */
const MOST_BREAKS = 4;

/**
 * Blobs as objects of a bucket of any server that speaks the API of S3. What is written is first spooled to the disk, so
 * that one PUT of a known length and hash carries it: the object is there whole or not at all, no upload in parts is
 * ever left behind, and it can be repeated.
 */
export class S3Blobs extends BlobStore {
  private readonly requests: S3Requests;

  constructor(
    private readonly config: S3Config,
    deps: S3Dependencies,
  ) {
    super();
    this.requests = new S3Requests(config, deps);
  }

  override async write(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    { mostBytes }: { readonly mostBytes: number },
  ): Promise<WrittenBlob | typeof TOO_LARGE> {
    const url = this.addressOf(key);
    const spooled = await spool(bytes, mostBytes);
    if (spooled === TOO_LARGE) return TOO_LARGE;
    try {
      await this.put(url, spooled);
    } finally {
      await spooled.close();
    }
    return { sizeBytes: spooled.sizeBytes, contentHash: spooled.contentHash };
  }

  override async read(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    const url = this.addressOf(key);
    const answer = await this.open(url);
    return answer === null ? null : this.whole(url, answer);
  }

  override async remove(key: string): Promise<void> {
    const answer = await this.requests.send({
      method: 'DELETE',
      url: this.addressOf(key),
      // Some servers answer 404 where there is nothing to remove.
      expected: [200, 204, 404],
    });
    await answer.body.dump();
  }

  override async check(): Promise<void> {
    const answer = await this.requests.send({
      method: 'HEAD',
      url: bucketAddress(this.config),
      expected: [200],
    });
    await answer.body.dump();
  }

  private addressOf(key: string): URL {
    assertBlobKey(key);
    return objectAddress(this.config, key);
  }

  private async put(url: URL, spooled: SpooledBytes): Promise<void> {
    const answer = await this.requests.send({
      method: 'PUT',
      url,
      body: {
        bytes: () => spooled.bytes(),
        size: spooled.sizeBytes,
        hash: spooled.contentHash.toString('hex'),
      },
      expected: [200],
    });
    await answer.body.dump();
  }

  /** Null where there is no such object; that there is no such bucket is an error. */
  private async open(url: URL, from?: Resumption): Promise<Dispatcher.ResponseData | null> {
    try {
      return await this.requests.send({
        method: 'GET',
        url,
        ...(from && { headers: { range: `bytes=${from.offset}-`, 'if-match': from.etag } }),
        expected: [from ? 206 : 200],
      });
    } catch (error) {
      if (error instanceof S3Error && error.status === 404 && error.code !== 'NoSuchBucket') return null;
      throw error;
    }
  }

  /** All bytes, over as many connections as it takes; each goes on where the one before broke off. */
  private async *whole(url: URL, first: Dispatcher.ResponseData): AsyncGenerator<Uint8Array> {
    const { etag } = first.headers;
    let answer = first;
    let offset = 0;
    for (let breaks = 0; ;) {
      try {
        for await (const part of answer.body as AsyncIterable<Uint8Array>) {
          offset += part.byteLength;
          breaks = 0;
          yield part;
        }
        return;
      } catch (error) {
        breaks += 1;
        if (breaks > MOST_BREAKS || !isPassing(error) || typeof etag !== 'string') throw error;
        await this.requests.pauseAfter(breaks);
        const rest = await this.open(url, { offset, etag });
        // Not every server heeds `if-match`.
        if (rest === null || rest.headers.etag !== etag) {
          await rest?.body.dump();
          throw error;
        }
        answer = rest;
      }
    }
  }
}

interface Resumption {
  readonly offset: number;
  /** Of the object that was begun: another one is never its end. */
  readonly etag: string;
}
