import { withContext, type PromptMessage } from '#libs/payloads';
import { asAsked, cutText, parseToolArguments, type ParsedArguments } from '#libs/tooling';
import { withAttachedTexts } from './attachments/pinned-attachment.js';
import { EMPTY_ANSWER_REQUEST, isEmptyAnswer } from './answers/empty-answer.js';
import { repairRequest } from './answers/validate-answer.js';
import { argumentsOf } from './call-arguments.js';
import type { ExecutionContext } from './execution-context.js';
import type { RequestedCall } from './journal-entry.js';
import { readOutput } from './foreign-content.js';
import { composeQuestion } from './retrieval/pinned-retrieval.js';
import { isHistoryRefused } from './history/refused-history.js';
import { newerHalf, roundAsText, shortenRound } from './history/shorten-history.js';
import type { RoundState, ScopeState, ToolCallState } from './scope-state.js';
import { pictureMessage, shownPictures } from './tool-pictures.js';
import type { ModelRequest } from './ports/model.js';

/**
 * Builds the prompt as a projection of settled state: system, history, user, then each finished round (S0-10, S0-13). A
 * tool call without its output cannot occur, since the model is called only when every call has an outcome. After the
 * provider has refused the conversation, the prompt is shortened.
 */
export function buildModelRequest(context: ExecutionContext, state: ScopeState): ModelRequest {
  const isShortened = isHistoryRefused(state);
  const hasTools = context.tools.length > 0;
  const shown = isShortened ? { ...context, history: newerHalf(context.history) } : context;
  return {
    model: context.model,
    messages: [
      ...opening(shown, state),
      ...roundsOf({ rounds: roundsForModel(state) }, { isShortened, hasTools }),
    ],
    tools: context.tools,
    parameters: context.parameters,
  };
}

/** Items of a provider, such as signed reasoning, travel back to the model that wrote them alone. */
function roundsForModel({ rounds, fallback }: ScopeState): readonly RoundState[] {
  if (fallback === null) return rounds;
  return rounds.map((round) => {
    if (round.number >= fallback.fromRound) return round;
    const { parts: _parts, ...answer } = round.answer;
    return { ...round, answer: { ...answer, providerItems: [] } };
  });
}

function opening(
  context: ExecutionContext,
  { preparation }: Pick<ScopeState, 'preparation'>,
): PromptMessage[] {
  const { retrieval } = preparation ?? context.preparation ?? {};
  const question = composeQuestion(context.input, retrieval);
  const { media = [], texts = [] } = context.attached ?? {};
  const user: PromptMessage = {
    role: 'user',
    content: withContext(withAttachedTexts(question, texts), context.inputContext),
    ...(media.length > 0 && { media }),
  };
  return [...systemAndHistory(context), user];
}

function systemAndHistory({
  instruction,
  newSystemPrompt,
  history,
}: ExecutionContext): readonly PromptMessage[] {
  if (instruction !== null) {
    return [
      { role: 'system', content: instruction },
      ...history.filter((message) => message.role !== 'system'),
    ];
  }
  return newSystemPrompt === null ? history : [{ role: 'system', content: newSystemPrompt }, ...history];
}

/** How rounds are rendered in the prompt. */
interface Showing {
  readonly isShortened: boolean;
  readonly hasTools: boolean;
}

type Pictures = ReturnType<typeof shownPictures>;

/** Omits images once the provider has refused the conversation, since they may be the reason. */
function roundsOf({ rounds }: Pick<ScopeState, 'rounds'>, showing: Showing): PromptMessage[] {
  const pictures: Pictures = showing.isShortened ? new Map() : shownPictures(rounds);
  return rounds.flatMap((round) => roundMessages(round, whole(round, pictures), showing));
}

function roundMessages(round: RoundState, messages: PromptMessage[], showing: Showing): PromptMessage[] {
  const { rejected } = round;
  const shown = showing.isShortened ? shortened(messages, round.number, showing) : messages;
  if (rejected === undefined) return shown;
  const request = isEmptyAnswer(round) ? EMPTY_ANSWER_REQUEST : repairRequest(rejected);
  return [...shown, { role: 'user', content: request }];
}

function shortened(messages: PromptMessage[], round: number, { hasTools }: Showing): PromptMessage[] {
  const short = shortenRound(messages, round);
  return hasTools ? short : roundAsText(short);
}

function whole({ answer, calls }: RoundState, pictures: Pictures): PromptMessage[] {
  const asked: PromptMessage = {
    role: 'assistant',
    content: answer.text,
    toolCalls: calls.map((call) => ({ id: call.callId, ...shownCall(call) })),
    providerItems: answer.providerItems,
    ...(answer.parts !== undefined && { parts: answer.parts }),
  };
  const outputs = calls.map((call): PromptMessage => ({
    role: 'tool',
    toolCallId: call.callId,
    content: call.outcome === null ? '' : readOutput(call.outcome),
  }));
  return [asked, ...outputs, ...pictureMessage(calls, pictures)];
}

interface ShownCall {
  readonly name: string;
  readonly arguments: string;
}

const shownCalls = new WeakMap<RequestedCall, ShownCall>();

/** Renders a call once, since every later prompt of the loop contains it again. */
function shownCall(call: ToolCallState): ShownCall {
  const known = shownCalls.get(call.requested);
  if (known !== undefined) return known;
  const { toolName: name, arguments: written } = asAsked(call);
  const parsed = call.via === undefined ? argumentsOf(call) : parseToolArguments(written);
  const made = { name, arguments: readableArguments(written, parsed) };
  shownCalls.set(call.requested, made);
  return made;
}

/** Maximum characters of unreadable arguments. */
const MAX_UNREADABLE = 4_000;

/**
 * Renders arguments as a JSON object, since providers reject anything else in every later prompt. Unreadable ones are
 * wrapped as text, so that the model sees what it wrote beside the error.
 */
function readableArguments(text: string, parsed: ParsedArguments): string {
  if (parsed.success) return JSON.stringify(parsed.data);
  return JSON.stringify({ unreadable_arguments: cutText(text, MAX_UNREADABLE) });
}
