import { REDACTED, redactText } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import { MAX_MEMORY_CHARACTERS, memoryKey, toMemoryText } from './memory.js';

/** A known fact, with the fields that a job needs. */
export interface KeptFact {
  readonly id: number;
  readonly text: string;
  /** True if a person wrote or changed the fact; jobs never change it. */
  readonly isPinned: boolean;
  readonly isForeign: boolean;
}

/** Changes proposed by a model; none of them is applied yet. */
export interface MemoryProposal {
  readonly remember: readonly string[];
  readonly update: readonly { readonly id: number; readonly text: string }[];
  readonly forget: readonly number[];
}

/** Maximum changes of each kind per turn; an answer with more is rejected. */
const MAX_CHANGES = 20;
/** Minimum characters of a quotation; shorter ones occur in nearly every text. */
const MIN_QUOTATION = 3;

const said = z.string().max(10_000);
const text = z.string().max(10_000);
const id = z.int();
const answerSchema = z.strictObject({
  remember: z.array(z.strictObject({ text, said })).max(MAX_CHANGES),
  update: z.array(z.strictObject({ id, text, said })).max(MAX_CHANGES),
  forget: z.array(z.strictObject({ id, said })).max(MAX_CHANGES),
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

/** JSON schema of the expected answer, within the subset that providers enforce. */
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
 * Parses a model's answer; null if it is invalid, and nothing changes. Drops changes with a quotation that the user did
 * not say, texts of an invalid length, secrets, and changes to facts that are unknown or a person's. Pure.
 * @param input the part of the user's input that the model was shown
 */
export function readProposal(
  answer: string,
  input: string,
  facts: readonly KeptFact[],
): MemoryProposal | null {
  const parsed = answerSchema.safeParse(parse(answer)).data;
  if (parsed === undefined) return null;
  // Quotations are compared without regard to case and punctuation.
  const heard = memoryKey(input);
  const isSaid = (item: { readonly said: string }): boolean => {
    const words = memoryKey(item.said);
    return words.length >= MIN_QUOTATION && heard.includes(words);
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

/** Models without an enforced format wrap the answer in a code block. */
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
