import { describe, expect, it } from '@jest/globals';
import { RefusedByApiError, type ApiClient } from './api-client.ts';
import { followExecution, type ExecutionEvent } from './follow-execution.ts';

/** A client with these texts as its successive streams; an error is thrown. */
function clientOf(streams: readonly (string | Error)[]): {
  client: ApiClient;
  resumedAt: (string | undefined)[];
} {
  const left = [...streams];
  const resumedAt: (string | undefined)[] = [];
  const unused = (): Promise<never> => Promise.reject(new Error('not asked'));
  const stream: ApiClient['stream'] = async (_path, headers) => {
    resumedAt.push(headers['last-event-id']);
    const next = left.shift() ?? '';
    if (next instanceof Error) throw next;
    return new Response(next);
  };
  const others = { get: unused, post: unused, put: unused, patch: unused, delete: unused, postForm: unused };
  return { client: { ...others, stream }, resumedAt };
}

async function follow(client: ApiClient): Promise<ExecutionEvent[]> {
  const events: ExecutionEvent[] = [];
  for await (const event of followExecution(client, 'x', new AbortController().signal)) events.push(event);
  return events;
}

const STATUS = 'id: 1\nevent: status\ndata: {"status":"running"}\n\n';
const RESULT = 'id: 2\nevent: result\ndata: {"status":"completed"}\n\n';

describe('following an execution', () => {
  it('ends with its result, also when more follows', async () => {
    const { client } = clientOf([`${STATUS}${RESULT}id: 3\nevent: title_generated\ndata: {}\n\n`]);

    expect((await follow(client)).map(({ event }) => event)).toEqual(['status', 'result']);
  });

  it('goes on after the last event where the stream was cut', async () => {
    const { client, resumedAt } = clientOf([STATUS, new TypeError('fetch failed'), RESULT]);

    expect((await follow(client)).map(({ event }) => event)).toEqual(['status', 'result']);
    expect(resumedAt).toEqual([undefined, '1', '1']);
  });

  it('takes an answer that says no for final', async () => {
    const { client, resumedAt } = clientOf([new RefusedByApiError('no such execution', 404)]);

    await expect(follow(client)).rejects.toThrow('no such execution');
    expect(resumedAt).toHaveLength(1);
  });
});
