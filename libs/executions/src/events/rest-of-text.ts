import type { ExecutionEvent, ExecutionResult, NumberedEvent } from '#libs/payloads';
import type { EventStream } from '../ports/event-stream.js';

/** Events per read. */
const AT_A_TIME = 200;

/**
 * Finds the text of the answer that is missing after `lastId`: a worker that died or froze after the settlement may not
 * have written all of it. Null if no text is missing, if the shown text is not a prefix of the answer, or if the stream
 * is empty; the client must then use the result event alone.
 * @param lastId at most the number of the stream's last event, or the acceptance
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

/**
 * Appends a text event of the given round to the shown text; a restarted attempt clears it. Events of inner scopes are
 * ignored.
 */
function textAfter(shown: string, { event, data }: NumberedEvent, round: number): string {
  if (event === 'attempt_restarted') return data.scope === undefined && data.round <= round ? '' : shown;
  if (event !== 'text_delta' || data.scope !== undefined || data.round !== round) return shown;
  return shown + data.content;
}
