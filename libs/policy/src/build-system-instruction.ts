import {
  DEFAULT_INSTRUCTION,
  DEFAULT_POLICIES,
  POLICY_BLOCKS,
  POLICY_TAGS,
  type PolicyBlock,
} from './default-policies.js';
import { readPromptPolicyOverrides } from './prompt-policy-overrides.js';

export interface SystemInstructionParts {
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
