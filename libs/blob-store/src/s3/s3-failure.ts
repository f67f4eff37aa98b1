/** An error status from the object store. The message contains neither address nor key. */
export class S3Error extends Error {
  /** @param code the server's error code, e.g. `AccessDenied`; null if it sent none */
  constructor(
    readonly asked: string,
    readonly status: number,
    readonly code: string | null,
  ) {
    super(`the object store answers ${asked} with ${status}${code === null ? '' : ` (${code})`}`);
    this.name = 'S3Error';
  }
}

/** S3 error codes with status 400 that a retry can resolve. */
const PASSING_CODES = new Set(['BadDigest', 'IncompleteBody', 'RequestTimeout', 'XAmzContentSHA256Mismatch']);
const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether a retry of the same request may succeed. Pure. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof S3Error)) return isBrokenConnection(error);
  return PASSING_STATUSES.has(error.status) || (error.code !== null && PASSING_CODES.has(error.code));
}

/** Errors of sockets, DNS and the HTTP client, all of which have a code. */
function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return error.code.startsWith('UND_ERR_') ? error.code !== 'UND_ERR_INVALID_ARG' : NETWORK.test(error.code);
}

const NETWORK = /^(E(CONN|HOST|NET|PIPE|AI_|TIMEDOUT|PROTO)|HPE_)/;

/** Reads the code of an error document: `<Error><Code>NoSuchKey</Code>…`. Pure. */
export function readErrorCode(xml: string): string | null {
  return /<Code>\s*([A-Za-z0-9.]{1,100})\s*<\/Code>/.exec(xml)?.[1] ?? null;
}
