import type { JsonObject } from '#libs/kernel';
import { type AdditionalData, type Citation, toCitation } from '#libs/payloads';
import { ANNOTATIONS_KEY, CITATIONS_KEY, type Passage } from '#libs/tooling';
import { scopeOf, type ExecutionState } from '../execution-state.js';
import { childPath, ROOT, type ScopePath } from '../scopes/scope-path.js';
import type { ToolCallState } from '../scope-state.js';

/** A passage that a model read, and the snippet length of its citation in characters. */
interface UsedPassage {
  readonly passage: Passage;
  readonly snippetChars: number;
}

/** Citations of the answer in reading order, each chunk once. */
export function citationsOf(state: ExecutionState): Citation[] {
  return usedBy(state).map(({ passage, snippetChars }) => toCitation(passage, snippetChars));
}

/** Passages that the answer is based on, in reading order, each chunk once. */
export function passagesOf(state: ExecutionState): Passage[] {
  return usedBy(state).map(({ passage }) => passage);
}

function usedBy(state: ExecutionState): UsedPassage[] {
  const first = new Map<number, UsedPassage>();
  for (const used of usedIn(state, ROOT)) {
    const { chunk_id } = used.passage;
    if (!first.has(chunk_id)) first.set(chunk_id, used);
  }
  return [...first.values()];
}

/** Passages of a sub-agent take the position of its call, and count only if the call succeeded. */
function usedIn(state: ExecutionState, path: ScopePath): UsedPassage[] {
  const { preparation, rounds } = scopeOf(state, path);
  const { passages = [], snippetChars = 0 } = preparation?.retrieval ?? {};
  const found = passages.map((passage) => ({ passage, snippetChars }));
  return [...found, ...rounds.flatMap(({ calls }) => calls.flatMap((call) => usedByCall(state, path, call)))];
}

function usedByCall(state: ExecutionState, path: ScopePath, call: ToolCallState): UsedPassage[] {
  if (call.outcome?.status !== 'succeeded') return [];
  const inside = childPath(path, call);
  if (state.children.has(inside)) return usedIn(state, inside);
  const { sources } = call.outcome;
  if (sources === undefined) return [];
  return sources.passages.map((passage) => ({ passage, snippetChars: sources.snippetChars }));
}

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
