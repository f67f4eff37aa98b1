import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ExecutionView } from '#libs/payloads';
import { assertDocumented, assertDocumentedEvent } from '../openapi/documented-answers.js';
import { waitFor } from './wait-for.js';

/** Uses a running API as a client's program does. */
export class ApiClient {
  /** @param apiKey for an API that requires one */
  constructor(
    readonly url: string,
    private readonly apiKey: string | null = null,
  ) {}

  async submit(body: object, headers: Record<string, string> = {}): Promise<ExecutionView> {
    const response = await this.post('/api/agents/1/execute/', body, headers);
    if (response.status !== 202)
      throw new Error(`expected 202, got ${response.status}: ${await response.text()}`);
    return (await response.json()) as ExecutionView;
  }

  async get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.url}${path}`, { headers: this.key() });
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${text}`);
    const mediaType = response.headers.get('content-type')?.split(';', 1)[0] ?? null;
    assertDocumented('GET', path, { status: response.status, mediaType, text });
    return JSON.parse(text) as T;
  }

  post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.key(), ...headers },
      body: JSON.stringify(body),
    });
  }

  private key(): Record<string, string> {
    return this.apiKey === null ? {} : { authorization: `Bearer ${this.apiKey}` };
  }

  settled(id: string, timeoutMs = 90_000): Promise<ExecutionView> {
    return waitFor(
      async () => {
        const view = await this.get<ExecutionView>(`/api/executions/${id}/`);
        // `waitFor` names the last error.
        if (view.finished_at === null) throw new Error(standingOf(view));
        return view;
      },
      { description: `execution ${id} to settle`, timeoutMs },
    );
  }

  /** Reads events after `lastEventId` until the stream ends or `limit` events came; `breakOff` may then kill the server. */
  async events(
    id: string,
    lastEventId: string | null = null,
    limit = Infinity,
    breakOff: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<EventSourceMessage[]> {
    const stop = new AbortController();
    const headers: Record<string, string> = lastEventId === null ? {} : { 'last-event-id': lastEventId };
    const response = await fetch(`${this.url}/api/executions/${id}/events/`, {
      headers,
      signal: stop.signal,
    });
    if (response.status === 204 || !response.body) return [];
    const events: EventSourceMessage[] = [];
    const parser = createParser({
      onEvent: (event) => {
        assertDocumentedEvent(event);
        events.push(event);
      },
    });
    let isBrokenOff = false;
    try {
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        parser.feed(chunk);
        if (events.length < limit) continue;
        isBrokenOff = true;
        await breakOff();
        break;
      }
    } catch (error) {
      // A killed server ends the connection with an error.
      if (!isBrokenOff) throw error;
    } finally {
      stop.abort();
    }
    return events.slice(0, limit);
  }
}

function standingOf({ status, attempt, waiting_for: waitingFor }: ExecutionView): string {
  return `status ${status}, attempt ${attempt}, waiting for ${JSON.stringify(waitingFor)}`;
}

/** An input for the model `sim-script`, with its answers, one a round. */
export function scripted(...answers: object[]): string {
  return `Please.\n\`\`\`sim-script\n${JSON.stringify({ answers })}\n\`\`\``;
}
