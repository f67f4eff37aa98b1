import { setTimeout as delay } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { RefusedByApiError, type ApiClient } from './api-client.ts';

const MOST_CUTS_IN_A_ROW = 20;

export interface ExecutionEvent {
  readonly event: string;
  readonly data: unknown;
}

/**
 * The events of an execution, from the first to `result`, which is the last. Where the stream is cut it goes on after
 * the last event that arrived (Last-Event-ID).
 * @throws {Error} when the stream was cut 20 times in a row without a single event
 */
export async function* followExecution(
  client: ApiClient,
  executionId: string,
  signal: AbortSignal,
): AsyncGenerator<ExecutionEvent> {
  let lastId: string | undefined;
  let cutsInARow = 0;
  while (cutsInARow < MOST_CUTS_IN_A_ROW) {
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
  throw new Error(`The events of execution ${executionId} were cut ${MOST_CUTS_IN_A_ROW} times in a row.`);
}

/** A connection that broke is taken up again; an answer that says no is final. */
function isRefusal(error: unknown): boolean {
  return error instanceof RefusedByApiError && error.status < 500;
}
