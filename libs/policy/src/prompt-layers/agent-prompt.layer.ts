import { buildSystemInstruction } from '../build-system-instruction.js';
import type { PromptLayer } from './prompt-layer.js';

export interface AgentPrompt {
  readonly systemPrompt: string | null;
  /** Null if no strategy adds policies to the prompt. */
  readonly policies: { readonly overrides: string | undefined } | null;
}

/** The agent's own prompt, with the policies of its strategy if it has one (S0-17, S0-43). */
export function agentPromptLayer({ systemPrompt, policies }: AgentPrompt): PromptLayer {
  if (policies === null) return systemPrompt;
  return buildSystemInstruction({
    instruction: systemPrompt ?? '',
    promptPolicyOverrides: policies.overrides,
  });
}
