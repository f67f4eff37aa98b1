import { ModelCallError, type ModelDelta } from '#libs/agent-core';
import { BETWEEN_PARTS } from '../wire/model-calls/parted-text.js';
import { joinAnswers } from '../wire/model-calls/join-answers.js';
import type { RestoredAnswer } from '../wire/model-calls/restored-answer.js';
import type { CallLine, Received } from './call-line.js';
import { receiveAnswer } from './receive-answer.js';
import type { WireRequest } from './wire-protocol.js';

/** Maximum continuations of one answer; a provider that interrupts more often is at fault. */
const MAX_PAUSES = 16;

/** Runs one call to its end. An answer that the provider interrupted is continued, and joined. */
export async function receiveWhole(line: CallLine, body: WireRequest['body']): Promise<Received> {
  const { protocol } = line;
  let received = await receiveAnswer(line, body);
  let asked = body;
  for (let pauses = 0; received.paused !== null && protocol.resume && pauses < MAX_PAUSES; pauses += 1) {
    asked = protocol.resume(asked, received.paused);
    received = joined(received, await continued(line, asked, received.answer));
  }
  return received;
}

/** The usage so far is not lost with a continuation that fails. */
async function continued(
  line: CallLine,
  body: WireRequest['body'],
  begun: RestoredAnswer,
): Promise<Received> {
  try {
    return await receiveAnswer({ ...line, onDelta: afterBreak(line.onDelta, begun) }, body);
  } catch (error) {
    const { usage, responseId, model } = begun;
    if (!(error instanceof ModelCallError) || error.spent !== null || usage === null) throw error;
    const { reason, message, retryable, retryAfterMs, details } = error;
    const spent = { responseId, model, usage };
    throw new ModelCallError({ reason, message, retryable, retryAfterMs, details, spent });
  }
}

function joined(begun: Received, next: Received): Received {
  const events = [begun.eventCount, next.eventCount].filter((count) => count !== null);
  return {
    ...next,
    answer: joinAnswers(begun.answer, next.answer),
    eventCount: events.length === 0 ? null : events.reduce((sum, count) => sum + count),
  };
}

/** Shows the continuation on a line of its own, as it is stored. */
function afterBreak(onDelta: CallLine['onDelta'], begun: RestoredAnswer): CallLine['onDelta'] {
  const due = new Set<ModelDelta['kind']>();
  if (begun.text !== '') due.add('text');
  if (begun.thinking !== '') due.add('thinking');
  return (delta) => {
    if (delta.kind !== 'tool_call' && due.delete(delta.kind))
      onDelta({ ...delta, content: BETWEEN_PARTS + delta.content });
    else onDelta(delta);
  };
}
