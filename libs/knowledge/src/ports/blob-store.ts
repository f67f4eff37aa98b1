import { AppError } from '#libs/kernel';

/** A blob that was written whole. */
export interface WrittenBlob {
  readonly sizeBytes: number;
  /** SHA-256, 32 bytes. */
  readonly contentHash: Buffer;
}

/** More bytes came than are allowed; nothing was kept. */
export const TOO_LARGE = 'too_large';

/** The store does not do what it is asked: its disk is full or gone, its server is silent or refuses. */
export class BlobStoreUnavailableError extends AppError {
  constructor(cause: unknown) {
    super({
      code: 'FILE_STORE_UNAVAILABLE',
      kind: 'unavailable',
      message: 'files can be neither kept nor read at the moment; try again later',
      retryable: true,
      cause,
    });
  }
}

/**
 * Files of tenants by key. A key is what {@link blobKeyOf} makes: whoever lists a store sees whose a blob is. A blob is
 * there whole or not at all, and never changes.
 */
export abstract class BlobStore {
  /** Reads `bytes` to their end, and answers when the blob is durable. What `bytes` throws is thrown on; nothing is kept. */
  abstract write(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    limit: { readonly mostBytes: number },
  ): Promise<WrittenBlob | typeof TOO_LARGE>;

  /** Null where there is none. Whoever stops reading early ends what stands behind it. */
  abstract read(key: string): Promise<AsyncIterable<Uint8Array> | null>;

  /** Also where there is none. */
  abstract remove(key: string): Promise<void>;

  /** Resolves where blobs can be written and read now; throws else. */
  abstract check(): Promise<void>;
}

/** Pure: a tenant's id may hold anything; `id` is a UUID. */
export function blobKeyOf(tenantId: string, id: string): string {
  const tenant = tenantId.replace(/[^a-zA-Z0-9-]/g, (sign) => `_${(sign.codePointAt(0) ?? 0).toString(16)}_`);
  return `${tenant}/${id}`;
}
