import { describeAdditionalData, withContext, type AdditionalData } from '#libs/payloads';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import type { LookedUpData } from './looked-up-data.js';

/** What the context of messages is made of. */
export interface ContextSources {
  readonly messageData: AttemptDependencies['messageData'];
  readonly lookedUp: LookedUpData;
}

/**
 * A message's text as the model reads it: followed by the context that its data gives, e.g. the id of what it saved and what
 * has become of that (S2-26). With nothing to say beside it the text stays as it is (3.G-5).
 */
export async function buildContentFromAdditionalData(
  message: { readonly content: string; readonly data: AdditionalData },
  userId: string | null,
  sources: ContextSources,
): Promise<string> {
  return withContext(message.content, await contextFromAdditionalData(message.data, userId, sources));
}

/** That context alone; empty where there is none. */
export async function contextFromAdditionalData(
  data: AdditionalData,
  userId: string | null,
  { messageData, lookedUp }: ContextSources,
): Promise<string> {
  const shown = messageData.shownToModel(data);
  await lookedUp.lookUp(shown, userId);
  return describeAdditionalData(shown, lookedUp.found);
}
