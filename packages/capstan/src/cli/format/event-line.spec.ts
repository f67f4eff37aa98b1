import { describe, expect, it } from '@jest/globals';
import type { ExecutionEvent } from '../../client/index.js';
import { showEvent } from './event-line.js';

const shown = (event: string, data: object) =>
  showEvent({ event, id: '1', data } as unknown as ExecutionEvent);

describe('an event at a terminal', () => {
  it.each([
    ['text_delta', { content: 'Hi\u001b[1m', round: 1 }, { text: 'Hi�[1m' }],
    ['text_delta', { content: 'inner', round: 1, scope: '1.0' }, null],
    ['tool_use', { tool_name: 'find', tool_input: { number: 7 } }, { line: 'tool find {"number":7}' }],
    ['tool_result', { tool_name: 'find', is_error: false, result: 'there' }, { line: 'answer find there' }],
    ['tool_result', { tool_name: 'find', is_error: true, result: 'gone' }, { line: 'failed find gone' }],
    ['status', { status: 'queued' }, null],
    ['status', { status: 'running' }, { line: 'status running' }],
    ['waiting', { kind: 'slot', message: 'for a free worker' }, { line: 'waiting for a free worker' }],
    ['waiting', { kind: null }, null],
    ['invented', { a: 1 }, null],
  ])('%s %j is shown', (event, data, expected) => {
    expect(shown(event, data)).toEqual(expected);
  });
});
