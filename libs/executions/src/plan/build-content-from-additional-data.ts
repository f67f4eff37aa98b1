import { describeAdditionalData, withContext, type AdditionalData } from '#libs/payloads';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import type { LookedUpData } from './looked-up-data.js';

/** Sources of the context of a message. */
export interface ContextSources {
  readonly messageData: AttemptDependencies['messageData'];
  readonly lookedUp: LookedUpData;
}

/**
 * Text of a message as the model reads it: followed by context from its data, e.g. the id and current state of a saved
 * record (S2-26). Without such context the text stays unchanged (3.G-5).
 */
export async function buildContentFromAdditionalData(
  message: { readonly content: string; readonly data: AdditionalData },
  userId: string | null,
  sources: ContextSources,
): Promise<string> {
  return withContext(message.content, await contextFromAdditionalData(message.data, userId, sources));
}

/** Context of a message without its text; empty if there is none. */
export async function contextFromAdditionalData(
  data: AdditionalData,
  userId: string | null,
  { messageData, lookedUp }: ContextSources,
): Promise<string> {
  const shown = messageData.shownToModel(data);
  await lookedUp.lookUp(shown, userId);
  return describeAdditionalData(shown, lookedUp.found);
}
