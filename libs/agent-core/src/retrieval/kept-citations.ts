import type { JsonObject } from '#libs/kernel';
import type { AdditionalData, Citation } from '#libs/payloads';
import { CITATIONS_KEY } from '#libs/tooling';

/** The data of an answer with where it comes from. */
export function withCitations(data: AdditionalData, citations: readonly Citation[]): AdditionalData {
  return citations.length === 0 ? data : { ...data, [CITATIONS_KEY]: [...citations] };
}

/** The same, read out of it: nobody but the service writes under this key. */
export function readCitations(data: JsonObject): Citation[] {
  const kept: unknown = data[CITATIONS_KEY];
  return Array.isArray(kept) ? (kept as Citation[]) : [];
}
