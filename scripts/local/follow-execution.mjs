import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { RefusedByApiError } from './api-client.mjs';

const PATIENCE = 20;

/**
 * The events of an execution, from the first to `result`, which is the last. Where the stream is cut it goes on after
 * the last event that arrived (Last-Event-ID).
 * @param {import('./api-client.mjs').ApiClient} client
 * @param {string} executionId
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<{event: string, data: any}>}
 * @throws {Error} when the stream was cut 20 times in a row without a single event
 */
export async function* followExecution(client, executionId, signal) {
  /** @type {string | undefined} */
  let lastId;
  let cutsInARow = 0;
  while (cutsInARow < PATIENCE) {
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      };
      const response = await client.stream(`/api/executions/${executionId}/events/`, headers);
      for await (const message of readMessages(response)) {
        cutsInARow = 0;
        lastId = message.id ?? lastId;
        const event = message.event ?? 'message';
        yield { event, data: JSON.parse(message.data) };
        if (event === 'result') return;
      }
    } catch (error) {
      if (signal.aborted || isRefusal(error)) throw error;
    }
    cutsInARow += 1;
    await delay(250, undefined, { signal });
  }
  throw new Error(`The events of execution ${executionId} were cut ${PATIENCE} times in a row.`);
}

/** A connection that broke is taken up again; an answer that says no is final. @param {unknown} error */
function isRefusal(error) {
  return error instanceof RefusedByApiError && error.status < 500;
}

/** @param {Response} response @returns {AsyncGenerator<import('eventsource-parser').EventSourceMessage>} */
async function* readMessages(response) {
  /** @type {import('eventsource-parser').EventSourceMessage[]} */
  const arrived = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message) });
  const decoder = new TextDecoder();
  if (response.body === null) return;
  for await (const chunk of response.body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* arrived.splice(0);
  }
}
