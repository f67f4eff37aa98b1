import { MAX_MEMORIES } from '#libs/policy';
import { memoryKey } from './memory.js';
import type { KeptFact, MemoryProposal } from './memory-proposal.js';

/** Changes to the facts about one executor. */
export interface MemoryWrites {
  readonly inserted: readonly string[];
  readonly updated: readonly { readonly id: number; readonly text: string }[];
  readonly deleted: readonly number[];
}

/** Whether a proposal may carry foreign content, from the turn or from a fact shown to the model. Pure. */
export function isLearntForeign(
  turn: { readonly isForeign: boolean },
  facts: readonly Pick<KeptFact, 'isForeign'>[],
): boolean {
  return turn.isForeign || facts.some(({ isForeign }) => isForeign);
}

/**
 * Decides which changes of a proposal are applied to the current facts. A person's facts stay; facts that a person
 * changed or deleted do not return; duplicates are dropped. At `maxFacts`, a new fact replaces the oldest learnt one, and
 * is dropped if all facts are a person's. Pure.
 * @param facts oldest change first
 * @param isUnwanted whether a person has changed or deleted a fact with this key
 */
export function evaluateProposal(
  facts: readonly KeptFact[],
  isUnwanted: (key: string) => boolean,
  { remember, update, forget }: MemoryProposal,
  maxFacts: number,
): MemoryWrites {
  const open = new Map(facts.filter(({ isPinned }) => !isPinned).map(({ id, text }) => [id, text]));
  const keys = new Set(facts.map(({ text }) => memoryKey(text)));
  const isNew = (text: string): boolean => !keys.has(memoryKey(text)) && !isUnwanted(memoryKey(text));
  const deleted = new Set<number>();
  const updated = new Map<number, string>();

  for (const id of forget) {
    const text = open.get(id);
    if (text === undefined) continue;
    deleted.add(id);
    keys.delete(memoryKey(text));
  }
  for (const { id, text } of update) {
    if (!open.has(id) || deleted.has(id) || updated.has(id) || !isNew(text)) continue;
    updated.set(id, text);
    keys.add(memoryKey(text));
  }
  const replaceable = [...open.keys()].filter((id) => !deleted.has(id) && !updated.has(id));
  const inserted: string[] = [];
  let count = facts.length - deleted.size;
  for (const text of remember) {
    if (!isNew(text)) continue;
    if (count >= Math.min(maxFacts, MAX_MEMORIES)) {
      const oldest = replaceable.shift();
      if (oldest === undefined) continue;
      deleted.add(oldest);
      count -= 1;
    }
    inserted.push(text);
    keys.add(memoryKey(text));
    count += 1;
  }
  const changes = [...updated].map(([id, text]) => ({ id, text }));
  return { inserted, updated: changes, deleted: [...deleted] };
}
