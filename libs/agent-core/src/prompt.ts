import { withContext, type PromptMessage } from '#libs/payloads';
import { asAsked, parseToolArguments } from '#libs/tooling';
import { withAttachedTexts } from './attachments/pinned-attachment.js';
import { repairRequest } from './answers/judge-answer.js';
import type { ExecutionContext } from './execution-context.js';
import { readOutput } from './foreign-content.js';
import { composeQuestion } from './retrieval/pinned-retrieval.js';
import type { RoundState, ScopeState } from './scope-state.js';
import { pictureMessage, shownPictures } from './tool-pictures.js';
import type { ModelRequest } from './ports/model.js';

/**
 * The prompt is a projection of settled state: system, history, user, then each finished round (S0-10, S0-13). A tool
 * call without its output cannot be expressed, since the model is asked only when every call has an outcome.
 */
export function buildModelRequest(context: ExecutionContext, state: ScopeState): ModelRequest {
  return {
    model: context.model,
    messages: [...opening(context, state), ...roundsOf(state)],
    tools: context.tools,
    parameters: context.parameters,
  };
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

function roundsOf({ rounds }: Pick<ScopeState, 'rounds'>): PromptMessage[] {
  const pictures = shownPictures(rounds);
  return rounds.flatMap((round) => roundMessages(round, pictures));
}

function roundMessages(round: RoundState, pictures: ReturnType<typeof shownPictures>): PromptMessage[] {
  const { answer, calls, rejected } = round;
  const asked: PromptMessage = {
    role: 'assistant',
    content: answer.text,
    toolCalls: calls.map((call) => {
      const { toolName: name, arguments: written } = asAsked(call);
      return { id: call.callId, name, arguments: readableArguments(written) };
    }),
    providerItems: answer.providerItems,
    ...(answer.parts !== undefined && { parts: answer.parts }),
  };
  const outputs = calls.map((call): PromptMessage => ({
    role: 'tool',
    toolCallId: call.callId,
    content: call.outcome === null ? '' : readOutput(call.outcome),
  }));
  const answered = [asked, ...outputs, ...pictureMessage(calls, pictures)];
  if (rejected === undefined) return answered;
  return [...answered, { role: 'user', content: repairRequest(rejected) }];
}

/** What could not be read would be refused by the provider for ever; the call's output says what was wrong (3.B-7). */
function readableArguments(text: string): string {
  const parsed = parseToolArguments(text);
  return parsed.success ? JSON.stringify(parsed.data) : '{}';
}
