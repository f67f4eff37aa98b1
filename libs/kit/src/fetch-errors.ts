/** Codes of the guarded `fetch`: the server was not reached, or the request was refused beforehand. */
const NEVER_SENT: readonly unknown[] = ['FETCH_NOT_REACHED', 'FETCH_NOT_SENT'];

/**
 * True if an error of the `fetch` of a context proves that no byte of the request was sent: its `code` is
 * `FETCH_NOT_REACHED`, or `FETCH_NOT_SENT` if another try would end the same. After other errors the server may have acted.
 */
export function wasNeverSent(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && NEVER_SENT.includes(thrown.code);
}
