import { harmlessId } from './harmless.js';

const NAMES = ['x-request-id', 'request-id', 'x-amzn-requestid'] as const;

/** The provider's id of the request, from the header in which it sends it; null if there is no usable one. */
export function readRequestId(headers: Pick<Headers, 'get'> | undefined): string | null {
  for (const name of NAMES) {
    const id = harmlessId(headers?.get(name));
    if (id !== null) return id;
  }
  return null;
}
