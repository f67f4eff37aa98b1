import { isJsonObject, type JsonObject, type JsonValue, toStorableJson } from '#libs/kernel';
import {
  DEFAULT_INSTRUCTION,
  DEFAULT_POLICIES,
  POLICY_BLOCKS,
  POLICY_TAGS,
  type PolicyBlock,
} from './default-policies.js';

interface SystemInstructionParts {
  /** The task of the agent (S0-43); blank means the default sentence. */
  readonly instruction: string;
  /** Empty, plain text, or a JSON object of policies as text (S1-54). */
  readonly promptPolicyOverrides?: string | undefined;
}

/**
 * The system prompt of an agent: its instruction, the four policies each in its tag, the extra policy (S0-17, S1-60 …
 * S1-62). An override replaces a policy where it stands. Runtime data (`context`) has no way in here (S0-44).
 */
export function buildSystemInstruction({
  instruction,
  promptPolicyOverrides = '',
}: SystemInstructionParts): string {
  const overrides = readPromptPolicyOverrides(promptPolicyOverrides);
  const policies = POLICY_BLOCKS.map((block) => inTag(block, overrides[block] ?? DEFAULT_POLICIES[block]));
  const parts = [instruction.trim() || DEFAULT_INSTRUCTION, ...policies, overrides.extra_policy ?? ''];
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

/** Adds the block's tag unless the text already has exactly this tag (S0-22). */
function inTag(block: PolicyBlock, text: string): string {
  const [opening, closing] = [`<${POLICY_TAGS[block]}>`, `</${POLICY_TAGS[block]}>`];
  const trimmed = text.trim();
  if (trimmed.startsWith(opening) && trimmed.endsWith(closing)) return trimmed;
  return `${opening}\n${trimmed}\n${closing}`;
}

/** Texts that replace the default policies; a missing key keeps its default. */
type PolicyOverrides = Readonly<Partial<Record<PolicyBlock | 'extra_policy', string>>>;

const OVERRIDE_KEYS = [...POLICY_BLOCKS, 'extra_policy'] as const;

/**
 * Reads `prompt_policy_overrides` (S0-18 … S0-21): empty, plain text (the extra policy), or a JSON object of policies;
 * unknown keys are ignored. Never throws: a text that is no JSON object counts as plain text.
 */
function readPromptPolicyOverrides(text: string): PolicyOverrides {
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
