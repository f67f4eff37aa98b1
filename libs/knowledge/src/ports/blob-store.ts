import { AppError } from '#libs/kernel';

/** A completely written blob. */
export interface WrittenBlob {
  readonly sizeBytes: number;
  /** SHA-256, 32 bytes. */
  readonly contentHash: Buffer;
}

/** The blob exceeded the limit; nothing was stored. */
export const TOO_LARGE = 'too_large';

/** The store is unavailable: its disk is full or missing, or its server does not respond or rejects requests. */
export class BlobStoreUnavailableError extends AppError {
  constructor(cause: unknown) {
    super({
      code: 'FILE_STORE_UNAVAILABLE',
      kind: 'unavailable',
      message: 'the store of files cannot be reached; try again later',
      retryable: true,
      cause,
    });
  }
}

/**
 * Tenants' files, by keys from {@link blobKeyOf}, which show the tenant in a listing of the store. A blob is stored
 * completely or not at all, and never changes.
 */
export abstract class BlobStore {
  /** Consumes `bytes` and resolves once the blob is durable. Rethrows errors of `bytes` without storing anything. */
  abstract write(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    limit: { readonly mostBytes: number },
  ): Promise<WrittenBlob | typeof TOO_LARGE>;

  /** Null if there is no such blob. Ending the iteration early releases its resources. */
  abstract read(key: string): Promise<AsyncIterable<Uint8Array> | null>;

  /** Succeeds even if there is no such blob. */
  abstract remove(key: string): Promise<void>;

  /** Throws if blobs cannot be written or read. */
  abstract check(): Promise<void>;
}

/** Key of a tenant's blob. Escapes the tenant id, which may hold any characters; `id` is a UUID. Pure. */
export function blobKeyOf(tenantId: string, id: string): string {
  const tenant = tenantId.replace(/[^a-zA-Z0-9-]/g, (sign) => `_${(sign.codePointAt(0) ?? 0).toString(16)}_`);
  return `${tenant}/${id}`;
}
