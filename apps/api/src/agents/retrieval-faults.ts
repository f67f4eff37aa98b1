import type { JsonObject } from '#libs/kernel';
import {
  readRetrievalParameters,
  readSearchParameters,
  type RetrievalFault,
  type RetrievalReading,
} from '#libs/payloads';
import { SEARCH_KNOWLEDGE } from '#libs/tool-sources';
import { InvalidRequestError, pointerTo, type FieldError } from '../http/request-errors.js';

/** Path of a retrieval setting in the body. */
type Place = readonly string[];

/**
 * The datasources of a `RAG_CHAT` agent. Throws an `InvalidRequestError` (422) with every fault of its retrieval settings
 * (3.H-13).
 * @param merged `config`, or `options` merged into it
 */
export function requireRetrieval(merged: JsonObject, field: 'config' | 'options'): readonly number[] {
  return requireRead(readRetrievalParameters(merged), [field]);
}

/**
 * The datasources that the agent's `search_knowledge` searches; empty without this tool. Throws an `InvalidRequestError`
 * (422).
 */
export function requireSearch(tools: JsonObject): readonly number[] {
  const search = tools[SEARCH_KNOWLEDGE];
  return search === undefined ? [] : requireRead(readSearchParameters(search), ['tools', SEARCH_KNOWLEDGE]);
}

/** Throws an `InvalidRequestError` (422) where the tenant lacks one of these datasources. */
export function requireKnown(
  named: readonly { readonly ids: readonly number[]; readonly place: Place }[],
  known: ReadonlySet<number>,
): void {
  const missing = named.flatMap(({ ids, place }) =>
    ids.filter((id) => !known.has(id)).map((id) => ({ id, place })),
  );
  const [first] = missing;
  if (first === undefined) return;
  const faults = missing.map(({ id, place }) => ({
    pointer: pointerTo([...place, 'datasource_ids']),
    detail: `there is no datasource ${id}`,
  }));
  throw notAllowed(faults, `there is no datasource ${first.id}`);
}

function requireRead<Parameters extends { readonly datasource_ids: readonly number[] }>(
  reading: RetrievalReading<Parameters>,
  place: Place,
): readonly number[] {
  if (reading.kind === 'read') return reading.parameters.datasource_ids;
  const faults = reading.faults.map(({ path, allowed }) => ({
    pointer: pointerTo([...place, ...path]),
    detail: `must be ${allowed}`,
  }));
  throw notAllowed(faults, firstOf(reading.faults));
}

function firstOf([first]: readonly RetrievalFault[]): string {
  return first?.message ?? 'retrieval param invalid';
}

function notAllowed(faults: readonly FieldError[], message: string): InvalidRequestError {
  return new InvalidRequestError(faults, { code: 'RETRIEVAL_INVALID', kind: 'unprocessable', message });
}
