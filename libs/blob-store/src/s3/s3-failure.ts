/** What a server answered that did not do what it was asked. Holds neither address nor key. */
export class S3Error extends Error {
  /** `code` is the server's own, e.g. `AccessDenied`; null where it gave none. */
  constructor(
    readonly asked: string,
    readonly status: number,
    readonly code: string | null,
  ) {
    super(`the object store answers ${asked} with ${status}${code === null ? '' : ` (${code})`}`);
    this.name = 'S3Error';
  }
}

/** Of S3, in answers of status 400: what a repetition mends. */
const PASSING_CODES = new Set(['BadDigest', 'IncompleteBody', 'RequestTimeout', 'XAmzContentSHA256Mismatch']);
const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether the same request may well be answered otherwise a moment later. Pure. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof S3Error)) return isBrokenConnection(error);
  return PASSING_STATUSES.has(error.status) || (error.code !== null && PASSING_CODES.has(error.code));
}

/** Errors of sockets, name servers and of the client, all of which have a code. */
function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return error.code.startsWith('UND_ERR_') ? error.code !== 'UND_ERR_INVALID_ARG' : NETWORK.test(error.code);
}

const NETWORK = /^(E(CONN|HOST|NET|PIPE|AI_|TIMEDOUT|PROTO)|HPE_)/;

/** The code of an error document: `<Error><Code>NoSuchKey</Code>…`. Pure. */
export function readErrorCode(xml: string): string | null {
  return /<Code>\s*([A-Za-z0-9.]{1,100})\s*<\/Code>/.exec(xml)?.[1] ?? null;
}
