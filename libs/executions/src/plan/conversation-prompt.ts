import { describeAdditionalData, withContext, type LoopParameters, type PromptMessage } from '#libs/payloads';
import {
  composePrompt,
  fitMemories,
  readMemorySettings,
  type ComposedPrompt,
  type Workspace,
} from '#libs/policy';
import type { Claim } from '../ports/claim-store.js';
import type { Tokenizer } from '../ports/model-factory.js';
import type { StoredContext, StoredMessage } from '../ports/stored-context.js';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import type { UsableContext } from './usable-context.js';

/**
 * Composes all layers of the prompt around the agent's own prompt; policies of the request take precedence over the
 * agent's (S0-43).
 */
export function composeInstruction(
  { request }: Claim,
  usable: UsableContext & { readonly workspace: Workspace | null },
  loop: LoopParameters,
  tokenizer: Tokenizer,
): ComposedPrompt {
  const overrides = request.prompt_policy_overrides ?? loop.prompt_policy_overrides;
  return composePrompt({
    preferredSkills: request.preferred_skills ?? [],
    tenantPrompt: usable.tenant.systemPrompt,
    agent: {
      systemPrompt: storedPrompt(usable),
      policies: loop.strategy === null ? null : { overrides },
    },
    workspace: usable.workspace,
    skills: usable.skills,
    memories: rememberedIn(usable, tokenizer),
    summary: usable.summary?.content ?? null,
  });
}

/** Facts about the executor, up to the agent's token limit. */
function rememberedIn({ memories, config }: UsableContext, tokenizer: Tokenizer): readonly string[] {
  const { enabled, max_tokens: maxTokens } = readMemorySettings(config);
  if (!enabled || memories.length === 0) return [];
  return fitMemories(memories, maxTokens, (text) => tokenizer.count(text));
}

/** The prompt is stored once per session, before its first message (S3-11). */
export function newSystemPrompt(stored: StoredContext): string | null {
  const isThere = stored.messages.some((message) => message.role === 'system');
  return isThere || !stored.systemPrompt ? null : stored.systemPrompt;
}

/** A conversation keeps its first prompt. */
function storedPrompt(stored: StoredContext): string | null {
  return stored.messages.find((message) => message.role === 'system')?.content ?? stored.systemPrompt;
}

/** A message as the model reads it without look-ups; tool messages are left out of later prompts. */
export function toPromptMessage(
  { role, content, data }: Pick<StoredMessage, 'role' | 'content' | 'data'>,
  messageData: AttemptDependencies['messageData'],
): PromptMessage[] {
  if (role === 'tool') return [];
  const context = describeAdditionalData(messageData.shownToModel(data));
  return [{ role, content: withContext(content, context) }];
}
