import { afterEach, describe, expect, it } from '@jest/globals';
import type { Assignment } from '#libs/executions';
import { createPlainServer } from '#libs/http-server';
import { addAssignmentRoute } from './assignment-route.js';

const [ID, TOKEN] = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002'];
const ONE = { execution_id: ID, token: TOKEN };

describe('POST /executions of a worker', () => {
  const received: Assignment[][] = [];
  const server = createPlainServer();
  const intake = {
    receive: (assignments: readonly Assignment[]) => {
      received.push([...assignments]);
      return 3;
    },
  };
  addAssignmentRoute(server, intake, () => 'this one');
  const post = (payload: string | object, headers = { 'content-type': 'application/json' }) =>
    server.inject({ method: 'POST', url: '/executions', payload, headers });
  afterEach(() => {
    received.length = 0;
  });

  it.each([
    ['one', [ONE], [{ executionId: ID, token: TOKEN }]],
    ['none, as a question for the free slots', [], []],
  ])('begins %s, and answers with the slots that are free then', async (_title, assignments, begun) => {
    const { statusCode, body } = await post({ worker: 'this one', assignments });
    expect([statusCode, JSON.parse(body)]).toEqual([200, { free: 3 }]);
    expect(received).toEqual([begun]);
  });

  it.each([
    ['another worker', { worker: 'that one', assignments: [ONE] }, 409],
    ['no worker', { assignments: [ONE] }, 400],
    ['no id', { worker: 'this one', assignments: [{ ...ONE, execution_id: '1' }] }, 400],
    ['no token', { worker: 'this one', assignments: [{ execution_id: ID }] }, 400],
    ['too many', { worker: 'this one', assignments: Array(65).fill(ONE) }, 400],
    ['no JSON', '{', 400],
    ['a prototype', '{"__proto__": {}, "worker": "this one", "assignments": []}', 400],
    ['too much', `"${'x'.repeat(40_000)}"`, 413],
  ])('refuses %s and begins nothing', async (_title, payload, status) => {
    expect((await post(payload)).statusCode).toBe(status);
    expect(received).toEqual([]);
  });

  it('refuses another type than JSON', async () => {
    const { statusCode } = await post('worker=this', { 'content-type': 'text/plain' });
    expect([statusCode, received]).toEqual([415, []]);
  });
});
