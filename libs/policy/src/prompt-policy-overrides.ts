import { isJsonObject, toStorableJson, type JsonObject, type JsonValue } from '#libs/kernel';
import { POLICY_BLOCKS, type PolicyBlock } from './default-policies.js';

/** Texts that replace the default policies; a missing key keeps its default. */
export type PolicyOverrides = Readonly<Partial<Record<PolicyBlock | 'extra_policy', string>>>;

const OVERRIDE_KEYS = [...POLICY_BLOCKS, 'extra_policy'] as const;

/**
 * Reads `prompt_policy_overrides` (S0-18 … S0-21): empty, plain text (the extra policy), or a JSON object of policies;
 * unknown keys are ignored. Never throws: a text that is no JSON object counts as plain text.
 */
export function readPromptPolicyOverrides(text: string): PolicyOverrides {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  const given = parseObject(trimmed);
  if (given === null) return { extra_policy: trimmed };
  const policies = OVERRIDE_KEYS.map((key) => [key, toText(given[key])] as const);
  return Object.fromEntries(policies.filter(([, policy]) => policy !== ''));
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** `''` if the key counts as missing. */
function toText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value.trim() : JSON.stringify(toStorableJson(value));
}
