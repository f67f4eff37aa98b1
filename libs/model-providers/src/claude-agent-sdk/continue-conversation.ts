import type { ModelAnswer, ModelRequest } from '#libs/agent-core';

/** Output of a call that the engine waits for. */
export interface GivenOutput {
  readonly callId: string;
  readonly text: string;
}

/**
 * The outputs by which `next` continues the conversation that `asked` began and `answer` answered; null if it says
 * anything else, e.g. a shortened history or a picture, so that a conversation has to begin from its messages.
 */
export function continuation(
  asked: ModelRequest,
  answer: Pick<ModelAnswer, 'toolCalls'>,
  next: ModelRequest,
): readonly GivenOutput[] | null {
  const { messages } = asked;
  const [said, ...added] = next.messages.slice(messages.length);
  if (
    said?.role !== 'assistant' ||
    !isSame({ ...next, messages: next.messages.slice(0, messages.length) }, asked)
  )
    return null;
  const ids = answer.toolCalls.map(({ callId }) => callId);
  if (!isSame(said.toolCalls?.map(({ id }) => id) ?? [], ids)) return null;
  const outputs = added.flatMap((message) =>
    message.role === 'tool' ? [{ callId: message.toolCallId, text: message.content }] : [],
  );
  const isWhole =
    outputs.length === added.length &&
    isSame(
      outputs.map(({ callId }) => callId),
      ids,
    );
  return isWhole ? outputs : null;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
