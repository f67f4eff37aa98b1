import { RetryLaterError } from '../http/request-errors.js';

const RETRY_AFTER_SECONDS = 5;
/** Share of all room that one tenant may take, beyond a single upload. */
const TENANT_SHARE = 0.5;

/**
 * Limits the bytes of concurrent uploads to a process, since they are spooled to disk before they reach a bucket, and a full
 * temporary folder breaks all uploads. A lone upload is always admitted, up to any size.
 */
export class UploadRoom {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly mostBytes: number) {}

  /** Reserves room for a file, in bytes; call the returned function to release it. Throws the error for 429 or 503. */
  take(tenantId: string, bytes: number): () => void {
    const own = this.takenBy.get(tenantId) ?? 0;
    if (own > 0 && own + bytes > this.mostBytes * TENANT_SHARE) throw tooManyOfTenant();
    if (this.taken > 0 && this.taken + bytes > this.mostBytes) throw tooMany();
    this.add(tenantId, bytes);
    return () => this.add(tenantId, -bytes);
  }

  private add(tenantId: string, bytes: number): void {
    this.taken += bytes;
    const own = (this.takenBy.get(tenantId) ?? 0) + bytes;
    if (own > 0) this.takenBy.set(tenantId, own);
    else this.takenBy.delete(tenantId);
  }
}

function tooManyOfTenant(): RetryLaterError {
  const message = 'the tenant has reached its maximum of concurrent uploads to this process; try again later';
  return new RetryLaterError({ code: 'UPLOAD_LIMIT', kind: 'limit_exceeded', message }, RETRY_AFTER_SECONDS);
}

function tooMany(): RetryLaterError {
  const message = 'this process has reached its maximum of concurrent uploads; try again later';
  return new RetryLaterError({ code: 'TOO_MANY_UPLOADS', kind: 'unavailable', message }, RETRY_AFTER_SECONDS);
}
