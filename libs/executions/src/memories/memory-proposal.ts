import { REDACTED, redactText } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import { MAX_MEMORY_CHARACTERS, memoryKey, toMemoryText } from './memory.js';

/** What is remembered already, as far as a job has to know it. */
export interface KeptFact {
  readonly id: number;
  readonly text: string;
  /** A person wrote or changed it: no job touches it. */
  readonly isPinned: boolean;
  readonly isForeign: boolean;
}

/** What a model proposes; nothing of it has happened. */
export interface MemoryProposal {
  readonly remember: readonly string[];
  readonly update: readonly { readonly id: number; readonly text: string }[];
  readonly forget: readonly number[];
}

/** Of one turn; an answer with more of them is no extraction. */
const MOST_CHANGES = 20;
/** Shorter ones are found in nearly every text. */
const SHORTEST_QUOTATION = 3;

const said = z.string().max(10_000);
const text = z.string().max(10_000);
const id = z.int();
const answerSchema = z.strictObject({
  remember: z.array(z.strictObject({ text, said })).max(MOST_CHANGES),
  update: z.array(z.strictObject({ id, text, said })).max(MOST_CHANGES),
  forget: z.array(z.strictObject({ id, said })).max(MOST_CHANGES),
});

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const STRING: JsonObject = { type: 'string' };
const INTEGER: JsonObject = { type: 'integer' };

/** The answer that is asked for, in the part of JSON Schema that providers hold their models to. */
export const PROPOSAL_FORMAT: JsonObject = {
  name: 'memory_changes',
  schema: object({
    remember: list(object({ text: STRING, said: STRING })),
    update: list(object({ id: INTEGER, text: STRING, said: STRING })),
    forget: list(object({ id: INTEGER, said: STRING })),
  }),
  strict: true,
};

/**
 * The changes in an answer of a model; null where it is none, and then nothing changes. Left out is what the user has not
 * said in these words, what is no fact by its length, what holds a secret, and what names a fact that is not there or that
 * a person wrote. Pure.
 *
 * @param input what the model was shown of what the user said
 */
export function readProposal(
  answer: string,
  input: string,
  facts: readonly KeptFact[],
): MemoryProposal | null {
  const parsed = answerSchema.safeParse(parse(answer)).data;
  if (parsed === undefined) return null;
  // Upper and lower case, and what stands between words, are not held against a quotation.
  const heard = memoryKey(input);
  const isSaid = (item: { readonly said: string }): boolean => {
    const words = memoryKey(item.said);
    return words.length >= SHORTEST_QUOTATION && heard.includes(words);
  };
  const open = new Set(facts.filter(({ isPinned }) => !isPinned).map((fact) => fact.id));
  return {
    remember: parsed.remember.filter(isSaid).flatMap((item) => toFact(item.text)),
    update: parsed.update
      .filter((item) => isSaid(item) && open.has(item.id))
      .flatMap((item) => toFact(item.text).map((fact) => ({ id: item.id, text: fact }))),
    forget: parsed.forget.filter((item) => isSaid(item) && open.has(item.id)).map((item) => item.id),
  };
}

/** Models that are held to no format put it into a block. */
const FENCED = /^```(?:json)?\s*\n([\s\S]*)\n```$/u;

function parse(answer: string): unknown {
  const trimmed = answer.trim();
  try {
    return JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed);
  } catch {
    return undefined;
  }
}

function toFact(given: string): string[] {
  const fact = toMemoryText(given);
  const isSecret = fact.includes(REDACTED) || redactText(fact) !== fact;
  const isFact = memoryKey(fact) !== '' && fact.length <= MAX_MEMORY_CHARACTERS;
  return isFact && !isSecret ? [fact] : [];
}
