import type { JsonObject } from '#libs/kernel';
import type { AdditionalData, Citation } from '#libs/payloads';
import { ANNOTATIONS_KEY, CITATIONS_KEY } from '#libs/tooling';

/** Adds citations to the data of an answer. */
export function withCitations(data: AdditionalData, citations: readonly Citation[]): AdditionalData {
  return citations.length === 0 ? data : { ...data, [CITATIONS_KEY]: [...citations] };
}

/** Adds the provider's annotations to the data of an answer (S2-23). */
export function withAnnotations(data: AdditionalData, annotations: readonly JsonObject[]): AdditionalData {
  return annotations.length === 0 ? data : { ...data, [ANNOTATIONS_KEY]: [...annotations] };
}

/** Reads the citations of an answer; only the service writes under this key, so the shape is trusted. */
export function readCitations(data: JsonObject): Citation[] {
  const kept: unknown = data[CITATIONS_KEY];
  return Array.isArray(kept) ? (kept as Citation[]) : [];
}
