import { describe, expect, it } from '@jest/globals';
import type { ExecutionEvent } from '../client/index.js';
import { ChunkWriter, type ChatChunk } from './chat-chunks.js';

const event = (name: string, data: object): ExecutionEvent => ({ event: name, id: '1', data }) as never;
const delta = (content: string, round: number, scope?: string): ExecutionEvent =>
  event('text_delta', { content, round, ...(scope !== undefined && { scope }) });
const result = (content: string, more: object = {}): ExecutionEvent =>
  event('result', {
    status: 'completed',
    session_uuid: 's',
    error: null,
    result: { message: { content } },
    ...more,
  });

function chunks(...events: ExecutionEvent[]): ChatChunk[] {
  const writer = new ChunkWriter('e1');
  return events.flatMap((each) => writer.write(each));
}
const types = (...events: ExecutionEvent[]): string[] => chunks(...events).map(({ type }) => type);
const FINISH = {
  type: 'finish',
  messageMetadata: { execution_id: 'e1', session_uuid: 's', status: 'completed' },
};
const CALL = { toolCallId: 'c', dynamic: true, providerExecuted: true };

describe('the chunks of an execution', () => {
  it('begin a message with the id of the execution', () => {
    expect(new ChunkWriter('e1').begin()).toEqual([{ type: 'start', messageId: 'e1' }]);
  });

  it('have each round of text as a part, and its end', () => {
    expect(chunks(delta('Let me ', 1), delta('look.', 1), delta('There.', 2), result('There.'))).toEqual([
      { type: 'text-start', id: 'text-1' },
      { type: 'text-delta', id: 'text-1', delta: 'Let me ' },
      { type: 'text-delta', id: 'text-1', delta: 'look.' },
      { type: 'text-end', id: 'text-1' },
      { type: 'text-start', id: 'text-2' },
      { type: 'text-delta', id: 'text-2', delta: 'There.' },
      { type: 'text-end', id: 'text-2' },
      FINISH,
    ]);
  });

  it('have reasoning apart from text, and pass over sub-agents and unknown kinds', () => {
    const thinking = event('thinking', { content: 'hm', round: 1 });
    expect(types(thinking, delta('a', 1), delta('inner', 1, '1.0'), event('invented', {}))).toEqual([
      ...['reasoning-start', 'reasoning-delta', 'reasoning-end', 'text-start', 'text-delta'],
    ]);
  });

  it('have calls of tools with their answers and failures', () => {
    const call = { tool_use_id: 'c', tool_name: 'find', round: 1 };
    expect(
      chunks(
        event('tool_use', { ...call, tool_input: { q: 1 } }),
        event('tool_result', { ...call, result: 'found', is_error: false }),
        event('tool_result', { ...call, result: { message: 'no' }, is_error: true }),
      ),
    ).toEqual([
      { type: 'tool-input-available', toolName: 'find', input: { q: 1 }, ...CALL },
      { type: 'tool-output-available', output: 'found', ...CALL },
      { type: 'tool-output-error', errorText: '{"message":"no"}', ...CALL },
    ]);
  });

  it('have the calls that wait for a person, until the execution goes on', () => {
    const calls = [{ call: '1.0' }];
    const asked = event('approval_required', { calls });
    const running = event('status', { status: 'running' });
    expect(chunks(running, asked, running, running)).toEqual([
      { type: 'data-required-action', id: 'e1', data: { execution_id: 'e1', calls } },
      { type: 'data-required-action', id: 'e1', data: { execution_id: 'e1', calls: [] } },
    ]);
  });

  it('end with the whole answer where deltas are missing', () => {
    const ends = (...events: ExecutionEvent[]) =>
      chunks(...events).flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : []));
    expect(ends(result('All of it.'))).toEqual(['All of it.']);
    expect(ends(delta('All ', 1), result('All of it.'))).toEqual(['All ', 'of it.']);
    expect(ends(delta('All of it.', 1), result('All of it.'))).toEqual(['All of it.']);
  });

  it('name the part that a lost attempt has left', () => {
    const restarted = event('attempt_restarted', { attempt: 2, round: 1 });
    expect(chunks(delta('half', 1), restarted, delta('Whole.', 1), result('Whole.')).slice(2)).toEqual([
      { type: 'text-end', id: 'text-1' },
      { type: 'data-restarted', data: { part: 'text-1' } },
      { type: 'text-start', id: 'text-2' },
      { type: 'text-delta', id: 'text-2', delta: 'Whole.' },
      { type: 'text-end', id: 'text-2' },
      FINISH,
    ]);
  });

  it('say that it failed or was cancelled', () => {
    const failed = { status: 'failed', result: null, error: { code: 'SDK_ERROR', message: 'away' } };
    expect(chunks(result('', failed))[0]).toEqual({ type: 'error', errorText: 'away' });
    expect(types(result('', { status: 'cancelled', result: null }))).toEqual(['abort', 'finish']);
  });
});
