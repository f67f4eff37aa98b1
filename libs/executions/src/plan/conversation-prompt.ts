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

/** Every layer of the prompt around the agent's own words; a request's policies win over the agent's (S0-43). */
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

/** As much of what is remembered as the agent has room for. */
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

/** A conversation keeps the prompt that it began with. */
function storedPrompt(stored: StoredContext): string | null {
  return stored.messages.find((message) => message.role === 'system')?.content ?? stored.systemPrompt;
}

/** As the model reads it, where nothing is looked up; what tools have said is in no later prompt. */
export function toPromptMessage(
  { role, content, data }: Pick<StoredMessage, 'role' | 'content' | 'data'>,
  messageData: AttemptDependencies['messageData'],
): PromptMessage[] {
  if (role === 'tool') return [];
  const context = describeAdditionalData(messageData.shownToModel(data));
  return [{ role, content: withContext(content, context) }];
}
