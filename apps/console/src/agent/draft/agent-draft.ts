import type { AgentFields, AgentVersion } from '../../api/types.js';
import type { JsonObject } from '../../format/json-object.js';

/** Fields of an agent that hold JSON, which can be edited as text. */
export type JsonField = 'config' | 'tools';

/** An agent as it stands in the form, saved or not. */
export interface AgentDraft {
  readonly name: string;
  readonly usecase_type: string;
  /** Null before a model configuration is chosen. */
  readonly llm: number | null;
  readonly system_prompt: string;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  /** Texts that are no JSON object yet; the field itself keeps the last value that was one. */
  readonly broken: Readonly<Record<JsonField, string | null>>;
}

export const USECASE_TYPES = ['BASIC_CHAT', 'RAG_CHAT', 'CUSTOM'] as const;

const UNBROKEN = { config: null, tools: null };

export const EMPTY_DRAFT: AgentDraft = {
  name: '',
  usecase_type: 'BASIC_CHAT',
  llm: null,
  system_prompt: '',
  config: {},
  tools: {},
  broken: UNBROKEN,
};

/** The form's content for a stored agent. Pure. */
export function draftOf(
  agent: Omit<AgentVersion, 'version' | 'created_at' | 'id' | 'is_active'>,
): AgentDraft {
  const { name, usecase_type, llm, system_prompt, config, tools } = agent;
  return { name, usecase_type, llm, system_prompt: system_prompt ?? '', config, tools, broken: UNBROKEN };
}

const FIELDS = ['name', 'usecase_type', 'llm', 'system_prompt', 'config', 'tools'] as const;
export type DraftField = (typeof FIELDS)[number];

/** Fields that differ between two drafts, in the order of the form. Pure. */
export function changedFields(before: AgentDraft, after: AgentDraft): DraftField[] {
  return FIELDS.filter((field) => !isSameJson(before[field], after[field]));
}

/** Whether there is something in the draft that would be lost. Pure. */
export function isDirty(base: AgentDraft, draft: AgentDraft): boolean {
  return changedFields(base, draft).length > 0 || isBroken(draft);
}

export const isBroken = ({ broken }: AgentDraft): boolean => broken.config !== null || broken.tools !== null;

type Written = Omit<AgentFields, 'is_active'>;

/** Body of the request that makes a new agent; null while no model configuration is chosen. Pure. */
export function fieldsOf(draft: AgentDraft): Written | null {
  const { llm, broken: _, ...fields } = draft;
  if (llm === null) return null;
  return { ...fields, llm, system_prompt: promptOf(draft) };
}

/** Body of the request that changes just what was changed here. Pure. */
export function patchOf(base: AgentDraft, draft: AgentDraft): Partial<Written> {
  const all = fieldsOf(draft);
  if (all === null) return {};
  return Object.fromEntries(changedFields(base, draft).map((field) => [field, all[field]]));
}

/**
 * The draft on top of a version that another page has saved: fields that were changed here stay, all others are the
 * version's. Pure.
 */
export function rebased(draft: AgentDraft, base: AgentDraft, theirs: AgentDraft): AgentDraft {
  const mine = changedFields(base, draft).map((field) => [field, draft[field]] as const);
  return { ...theirs, ...Object.fromEntries(mine), broken: draft.broken };
}

const promptOf = ({ system_prompt: prompt }: AgentDraft): string | null => (prompt === '' ? null : prompt);

/** Whether two JSON values are the same; the order of keys makes no difference. Pure. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [mine, theirs] = [one as JsonObject, other as JsonObject];
  const keys = Object.keys(mine);
  return (
    keys.length === Object.keys(theirs).length &&
    keys.every((key) => Object.hasOwn(theirs, key) && isSameJson(mine[key], theirs[key]))
  );
}

/** Sets a key of an object, or takes it out where the value is undefined. Pure. */
export function withKey(object: JsonObject, key: string, value: unknown): JsonObject {
  const { [key]: _, ...rest } = object;
  if (value === undefined) return rest;
  return Object.hasOwn(object, key) ? { ...object, [key]: value } : { ...rest, [key]: value };
}
