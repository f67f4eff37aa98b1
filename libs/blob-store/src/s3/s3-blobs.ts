import type { Dispatcher } from 'undici';
import type { S3Config } from '#libs/config';
import { BlobStore, TOO_LARGE, type WrittenBlob } from '#libs/knowledge';
import { assertBlobKey } from '../blob-key.js';
import { bucketAddress, objectAddress } from './object-address.js';
import { isPassing, S3Error } from './s3-failure.js';
import { S3Requests, type S3Dependencies } from './s3-requests.js';
import { spool, type SpooledBytes } from './spooled-bytes.js';

export type { S3Dependencies } from './s3-requests.js';

/** Maximum consecutive resumptions of a download that bring no bytes. */
const MAX_BREAKS = 4;

/**
 * Stores blobs as objects of an S3-compatible bucket. Bytes are first spooled to disk, so that one PUT with known
 * length and hash uploads them: the object is whole or absent, no multipart upload is left behind, and the PUT can be
 * retried.
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
      // Some servers respond 404 if there is no object to remove.
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

  /** Null if the object does not exist; a missing bucket is an error. */
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

  /** Yields all bytes, and resumes at the current offset when a connection breaks. */
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
        if (breaks > MAX_BREAKS || !isPassing(error) || typeof etag !== 'string') throw error;
        await this.requests.pauseAfter(breaks);
        const rest = await this.open(url, { offset, etag });
        // Not every server honours `if-match`.
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
  /** ETag of the first response: a replaced object must not continue it. */
  readonly etag: string;
}
