import type { ExecutionEvent, ExecutionResult, NumberedEvent } from '#libs/payloads';
import type { EventStream } from '../ports/event-stream.js';

/** Events read at a time. */
const AT_A_TIME = 200;

/**
 * What a client that has seen every event up to `lastId` lacks of the answer: its worker died, or was frozen, after it had
 * settled the execution and before it had written all of the text. Null where it lacks nothing, where what it shows is not
 * the beginning of the answer, and where the stream holds nothing any more: then it has to go by the result alone.
 *
 * @param lastId not after the last event of the stream, or the acceptance
 */
export async function findRestOfText(
  stream: Pick<EventStream, 'readAfter'>,
  executionId: string,
  lastId: number,
  { status, result, num_turns: round }: ExecutionResult,
): Promise<ExecutionEvent | null> {
  if (status !== 'completed' || !result || round === 0) return null;
  const { content } = result.message;
  const shown = await readShownText(stream, executionId, lastId, round);
  if (shown === null || shown.length >= content.length || !content.startsWith(shown)) return null;
  return { event: 'text_delta', data: { content: content.slice(shown.length), round } };
}

async function readShownText(
  stream: Pick<EventStream, 'readAfter'>,
  executionId: string,
  lastId: number,
  round: number,
): Promise<string | null> {
  let shown: string | null = null;
  for (let from = 0; from < lastId;) {
    const events = await stream.readAfter(executionId, from, AT_A_TIME);
    for (const event of events) if (event.id <= lastId) shown = textAfter(shown ?? '', event, round);
    if (events.length < AT_A_TIME) break;
    from = events.at(-1)?.id ?? lastId;
  }
  return shown;
}

/** The text of a round of the execution's own loop, as a client shows it: a new attempt drops what came of it before. */
function textAfter(shown: string, { event, data }: NumberedEvent, round: number): string {
  if (event === 'attempt_restarted') return data.scope === undefined && data.round <= round ? '' : shown;
  if (event !== 'text_delta' || data.scope !== undefined || data.round !== round) return shown;
  return shown + data.content;
}
