import { AppError } from '#libs/kernel';
import {
  type AdditionalData,
  describeAdditionalData,
  executorIdOf,
  type LookedUp,
  withContext,
} from '#libs/payloads';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import type { Claim } from '../ports/claim-store.js';
import type { StoredMessage } from '../ports/stored-context.js';
import { LookedUpData } from './looked-up-data.js';
import type { UsableContext } from './usable-context.js';
import { withinTime } from './within-time.js';

/** Maximum time of all look-ups for a run, in milliseconds. */
const MAX_LOOKING_UP_MS = 20_000;

/** Messages with the context of their data in their text. */
interface BuiltContents {
  readonly messages: readonly StoredMessage[];
  /** Context that the model reads after the input. */
  readonly inputContext: string;
  /** Pinned for later attempts. */
  readonly lookedUp: LookedUp;
}

const NOTHING_CARRIED = { inputContext: '', lookedUp: {} } as const;

type Dependencies = Pick<
  AttemptDependencies,
  'lookUps' | 'messageData' | 'timers' | 'classifyStorageError' | 'logger'
>;

/**
 * Adds the context of the messages' data, looked up where a domain does so, newest message first. Null when `stop`
 * reports cancellation or the deadline. Throws the retryable `LOOK_UPS_UNAVAILABLE` on timeout.
 */
export async function withContents<Usable extends UsableContext>(
  deps: Dependencies,
  claim: Claim,
  usable: Usable,
  stop: AbortSignal,
): Promise<(Usable & BuiltContents) | null> {
  const { lookUps, messageData, timers, classifyStorageError, logger } = deps;
  const { tenantId, request } = claim;
  const carriesData = [request.additional_data, ...usable.messages.map(({ data }) => data)].some(
    (data) => Object.keys(data).length > 0,
  );
  if (!carriesData) return { ...usable, ...NOTHING_CARRIED };
  const userId = executorIdOf(request);
  const pinned = usable.preparation && (usable.preparation.lookedUp ?? {});
  const build = async (signal: AbortSignal): Promise<BuiltContents> => {
    const lookedUp = new LookedUpData({ lookUps, tenantId, pinned, signal, classifyStorageError, logger });
    const sources = { messageData, lookedUp };
    const inputContext = await contextFromAdditionalData(request.additional_data, userId, sources);
    const messages: StoredMessage[] = [];
    for (const message of usable.messages.toReversed())
      messages.unshift(await withContent(message, userId, sources));
    return { messages, inputContext, lookedUp: lookedUp.found };
  };
  const time = { claim, stop, timers, longestMs: MAX_LOOKING_UP_MS, tooLate: takesTooLong };
  const built = await withinTime(build, time);
  return built && { ...usable, ...built };
}

/** Adds the context of one message. Its stored token count is dropped when a look-up changed its text. */
async function withContent(
  message: StoredMessage,
  userId: string | null,
  sources: ContextSources,
): Promise<StoredMessage> {
  if (Object.keys(message.data).length === 0) return message;
  const content = await buildContentFromAdditionalData(message, userId, sources);
  const hasFinding = Object.keys(message.data).some((key) => Object.hasOwn(sources.lookedUp.found, key));
  return { ...message, content, data: {}, tokens: hasFinding ? null : message.tokens };
}

function takesTooLong(cause: unknown): AppError {
  return new AppError({
    code: 'LOOK_UPS_UNAVAILABLE',
    kind: 'timeout',
    message: `the data that messages refer to was not read within ${MAX_LOOKING_UP_MS / 1_000} s`,
    retryable: true,
    cause,
  });
}

/** Sources of the context of a message. */
interface ContextSources {
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
async function contextFromAdditionalData(
  data: AdditionalData,
  userId: string | null,
  { messageData, lookedUp }: ContextSources,
): Promise<string> {
  const shown = messageData.shownToModel(data);
  await lookedUp.lookUp(shown, userId);
  return describeAdditionalData(shown, lookedUp.found);
}
