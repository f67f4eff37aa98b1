import { createParser } from 'eventsource-parser';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  FollowerRecord,
  ObservedEnding,
  StreamConnection,
  StreamedEvent,
} from '../ledgers/chaos-world.js';
import type { ApiCaller } from './api-caller.js';

const RECONNECT_MS = 100;
/** Milliseconds without a byte, not even a heartbeat, after which the client gives a connection up. */
const SILENCE_LIMIT_MS = 15_000;

interface EventData {
  readonly content?: string;
  readonly round?: number;
  readonly status?: string;
  /** The loop of a called agent; absent in events of the execution's own loop. */
  readonly scope?: string;
}

interface Progress {
  readonly connections: StreamConnection[];
  lastId: number;
  hasEnded: boolean;
}

/** Follows one execution up to its `result` as an `EventSource` does: reconnects to any API that answers. */
export async function followEvents(
  caller: ApiCaller,
  apiKey: string,
  executionId: string,
  giveUp: AbortSignal,
  onEnding: (ending: ObservedEnding) => void,
): Promise<FollowerRecord> {
  const progress: Progress = { connections: [], lastId: 0, hasEnded: false };
  while (!progress.hasEnded && !giveUp.aborted) {
    await readConnection(caller, apiKey, executionId, giveUp, progress, onEnding);
    await delay(RECONNECT_MS);
  }
  return { executionId, connections: progress.connections, endedAt: Date.now() };
}

async function readConnection(
  caller: ApiCaller,
  apiKey: string,
  executionId: string,
  giveUp: AbortSignal,
  progress: Progress,
  onEnding: (ending: ObservedEnding) => void,
): Promise<void> {
  const silence = new AbortController();
  const signal = AbortSignal.any([giveUp, silence.signal]);
  let timer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS);
  try {
    const path = `/api/executions/${executionId}/events/`;
    const response = await caller.open(apiKey, path, progress.lastId, signal);
    if (response?.status === 204) progress.hasEnded = true;
    if (response?.status !== 200 || !response.body) {
      await response?.text().catch(() => '');
      return;
    }
    const events: StreamedEvent[] = [];
    progress.connections.push({ afterId: progress.lastId, events });
    const parser = createParser({
      onEvent: ({ id, event = '', data }) => {
        if (id === undefined) return;
        const parsed = JSON.parse(data) as EventData;
        const isOwn = parsed.scope === undefined;
        events.push({
          id: Number(id),
          at: Date.now(),
          event,
          round: isOwn ? (parsed.round ?? null) : null,
          text: isOwn && event === 'text_delta' ? (parsed.content ?? null) : null,
        });
        progress.lastId = Number(id);
        if (event !== 'result') return;
        progress.hasEnded = true;
        onEnding({ executionId, status: parsed.status ?? '', source: 'event' });
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS);
      parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    }
  } catch {
    // The connection broke: the client reconnects with the last event id that it has seen.
  } finally {
    clearTimeout(timer);
  }
}
