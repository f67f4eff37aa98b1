import { setTimeout as delay } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { RefusedByApiError, type ApiClient } from './api-client.ts';

const MAX_CUTS_IN_A_ROW = 20;

export interface ExecutionEvent {
  readonly event: string;
  readonly data: unknown;
}

/**
 * Yields the events of an execution up to `result`. An interrupted stream resumes after the last event (Last-Event-ID).
 * @throws {Error} after 20 interruptions in a row without an event
 */
export async function* followExecution(
  client: ApiClient,
  executionId: string,
  signal: AbortSignal,
): AsyncGenerator<ExecutionEvent> {
  let lastId: string | undefined;
  let cutsInARow = 0;
  while (cutsInARow < MAX_CUTS_IN_A_ROW) {
    try {
      const response = await client.stream(`/api/executions/${executionId}/events/`, {
        accept: 'text/event-stream',
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      });
      const messages = response.body
        ?.pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream());
      for await (const message of messages ?? []) {
        cutsInARow = 0;
        lastId = message.id ?? lastId;
        const event = message.event ?? 'message';
        yield { event, data: JSON.parse(message.data) as unknown };
        if (event === 'result') return;
      }
    } catch (error) {
      if (signal.aborted || isRefusal(error)) throw error;
    }
    cutsInARow += 1;
    await delay(250, undefined, { signal });
  }
  throw new Error(`The events of execution ${executionId} were cut ${MAX_CUTS_IN_A_ROW} times in a row.`);
}

/** An interrupted connection is resumed; an error answer is final. */
function isRefusal(error: unknown): boolean {
  return error instanceof RefusedByApiError && error.status < 500;
}
