import { isJsonObject, toStorableJson, type JsonObject, type JsonValue } from '#libs/kernel';
import { POLICY_BLOCKS, type PolicyBlock } from './default-policies.js';

/** What an organisation says in place of the default policies; a key that is absent leaves the default. */
export type PolicyOverrides = Readonly<Partial<Record<PolicyBlock | 'extra_policy', string>>>;

const OVERRIDE_KEYS = [...POLICY_BLOCKS, 'extra_policy'] as const;

/**
 * Reads `prompt_policy_overrides` (S0-18 … S0-21): nothing, plain text (then it is the extra policy), or a JSON object
 * of policies whose unknown keys are ignored. Never throws: what is not an object of JSON is plain text.
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

/** `''` means that the key counts as not given. */
function toText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value.trim() : JSON.stringify(toStorableJson(value));
}
