import type { ConversationLength, MessageTokens, ShownHistory } from '#libs/agent-core';
import { type JsonObject, utf8Length } from '#libs/kernel';
import type { LoopParameters, PromptMessage } from '#libs/payloads';
import { chooseWindow, type CountedMessage, historyBudget } from '#libs/policy';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import type { Claim } from '../ports/claim-store.js';
import type { ResolvedModel, Tokenizer } from '../ports/model-factory.js';
import type { StoredContext, StoredMessage } from '../ports/stored-context.js';
import { toPromptMessage } from './conversation-prompt.js';

/** History that the model is shown, and its length. */
export interface HistoryPlan {
  readonly messages: readonly PromptMessage[];
  readonly length: ConversationLength;
  /** Pinned for later attempts; null at the start of a conversation. */
  readonly pinned: ShownHistory | null;
}

interface HistoryParts {
  readonly model: Pick<ResolvedModel, 'contextSize' | 'tokenizer'>;
  readonly messageData: AttemptDependencies['messageData'];
  /** Other texts that share the model's context: instruction, tools, input. */
  readonly rest: readonly string[];
}

type HistoryParameters = Pick<LoopParameters, 'history_tokens' | 'context_size' | 'summary_model'> & {
  readonly parameters: JsonObject;
};

/**
 * Selects the messages that the model is shown word for word: all that no summary covers, within the model's context.
 * They exceed the token budget only while a summary is pending. Pure.
 */
export function planHistory(
  stored: Pick<StoredContext, 'messages' | 'hasOlder' | 'summary' | 'preparation' | 'llm'>,
  claim: Pick<Claim, 'turnNumber'>,
  { history_tokens: wanted, context_size, summary_model, parameters }: HistoryParameters,
  { model, messageData, rest }: HistoryParts,
): HistoryPlan {
  const spoken = stored.messages.filter(({ role }) => role === 'user' || role === 'assistant');
  const counted = spoken.map((message) => ({ message, ...countedAs(message, model.tokenizer, messageData) }));
  const total = counted.reduce((sum, { tokens }) => sum + tokens, 0);
  const most = promptRoom({ context_size }, parameters, model);
  const wish = Math.max(total, historyBudget(wanted, most).tokens);
  const room = most - tokensOf(rest, most - wish, model.tokenizer);
  const budget = historyBudget(wanted, room);
  const pinned = stored.preparation?.history;
  const window =
    pinned === undefined
      ? chooseWindow(counted, { tokens: room, messages: Infinity })
      : { fromTurn: pinned.fromTurn, messages: counted.length, tokens: total };
  const fromTurn = window.fromTurn ?? claim.turnNumber;
  const shown = counted.filter(({ turnNumber }) => turnNumber >= fromTurn);
  const system = stored.messages.filter(({ role }) => role === 'system');
  const { messages, tokens } = window;
  const { summary } = stored;
  return {
    messages: [...system, ...shown.map(({ message }) => message)].flatMap((message) =>
      toPromptMessage(message, messageData),
    ),
    length: { held: { messages, tokens }, budget, summaryModel: summary_model ?? stored.llm.model },
    pinned:
      spoken.length === 0 && summary === null
        ? null
        : {
            ...{ fromTurn, messages, tokens },
            isCut: stored.hasOlder || shown.length < counted.length,
            summary: summary && { version: summary.version, throughTurn: summary.throughTurn },
          },
  };
}

/** Token count of a message as models read it in later turns. */
export function countMessage(
  message: Pick<StoredMessage, 'role' | 'content' | 'data'>,
  tokenizer: Tokenizer,
  messageData: AttemptDependencies['messageData'],
): MessageTokens {
  const count = toPromptMessage(message, messageData).reduce(
    (sum, { content }) => sum + tokenizer.count(content),
    0,
  );
  return { count, tokenizer: tokenizer.name };
}

/** Reuses the stored count if the same tokenizer made it. */
function countedAs(
  message: StoredMessage,
  tokenizer: Tokenizer,
  messageData: AttemptDependencies['messageData'],
): CountedMessage {
  const { turnNumber, tokens: known } = message;
  const tokens = known?.tokenizer === tokenizer.name ? known : countMessage(message, tokenizer, messageData);
  return { turnNumber, tokens: tokens.count };
}

/** Tokens reserved for an answer without a configured limit. */
const USUAL_ANSWER_TOKENS = 8_192;
/** Maximum share of the context reserved for such an answer (0–1), so that small models keep room for the prompt. */
const MAX_OF_CONTEXT = 0.25;

/** Tokens of the context left for the prompt. Negative if the answer's limit exceeds the context. */
export function promptRoom(
  { context_size: wanted }: Pick<LoopParameters, 'context_size'>,
  parameters: JsonObject,
  { contextSize: usual }: Pick<ResolvedModel, 'contextSize'>,
): number {
  const contextSize = wanted ?? usual;
  const { max_output_tokens: given } = parameters;
  const tokens = typeof given === 'string' ? Number.parseInt(given, 10) : given;
  const isGiven = typeof tokens === 'number' && tokens > 0;
  const guess = Math.min(USUAL_ANSWER_TOKENS, Math.floor(contextSize * MAX_OF_CONTEXT));
  return contextSize - (isGiven ? tokens : guess);
}

/**
 * Upper bound for the tokens of these texts. Counted exactly only when their bytes exceed `room`: a token has at least
 * one byte, so that byte length is a cheap bound.
 */
export function tokensOf(
  texts: readonly string[],
  room: number,
  tokenizer: Pick<Tokenizer, 'count'>,
): number {
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), 0);
  return bytes <= room ? bytes : texts.reduce((sum, text) => sum + tokenizer.count(text), 0);
}
