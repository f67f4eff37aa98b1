import type { JsonObject } from '#libs/kernel';
import type { AdditionalData, Citation } from '#libs/payloads';
import { ANNOTATIONS_KEY, CITATIONS_KEY } from '#libs/tooling';

/** The data of an answer with where it comes from. */
export function withCitations(data: AdditionalData, citations: readonly Citation[]): AdditionalData {
  return citations.length === 0 ? data : { ...data, [CITATIONS_KEY]: [...citations] };
}

/** The data of an answer with what the provider says of places in it (S2-23). */
export function withAnnotations(data: AdditionalData, annotations: readonly JsonObject[]): AdditionalData {
  return annotations.length === 0 ? data : { ...data, [ANNOTATIONS_KEY]: [...annotations] };
}

/** The citations, read out of it: nobody but the service writes under this key. */
export function readCitations(data: JsonObject): Citation[] {
  const kept: unknown = data[CITATIONS_KEY];
  return Array.isArray(kept) ? (kept as Citation[]) : [];
}
