import { RetryLaterError } from '../http/request-errors.js';

const RETRY_AFTER_SECONDS = 5;
/** Of all room, for one tenant while others may come. */
const TENANT_SHARE = 0.5;

/**
 * Bytes that may be on their way into one process at once: what comes is spooled before it is sent to a bucket, and a
 * folder for temporary files that is full harms everybody. Whoever finds nobody else there gets in, however much it brings.
 */
export class UploadRoom {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly mostBytes: number) {}

  /** Takes room for a file of at most so many bytes; the answer makes it free again. Throws what is answered 429 or 503. */
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
  const message = 'your tenant sends as much to this server at once as it may; try again later';
  return new RetryLaterError({ code: 'UPLOAD_LIMIT', kind: 'limit_exceeded', message }, RETRY_AFTER_SECONDS);
}

function tooMany(): RetryLaterError {
  const message = 'this server takes in as many files at once as it can; try again later';
  return new RetryLaterError({ code: 'TOO_MANY_UPLOADS', kind: 'unavailable', message }, RETRY_AFTER_SECONDS);
}
