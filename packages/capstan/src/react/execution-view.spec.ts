import { describe, expect, it } from '@jest/globals';
import type { ExecutionEvent } from '../client/index.js';
import { EMPTY_VIEW, foldEvent, type ExecutionView } from './execution-view.js';

const event = (name: string, data: object): ExecutionEvent => ({ event: name, id: '1', data }) as never;
const delta = (content: string, round: number, scope?: string): ExecutionEvent =>
  event('text_delta', { content, round, ...(scope !== undefined && { scope }) });
const fold = (...events: ExecutionEvent[]): ExecutionView => events.reduce(foldEvent, EMPTY_VIEW);

const CALL = { call: '1.0', asks: 'approval', tool_name: 'charge', tool_input: {} };

describe('the view of an execution', () => {
  it('has the text of the present round, without that of sub-agents', () => {
    expect(fold(delta('Let me ', 1), delta('inner', 1, '1.0'), delta('look.', 1)).text).toBe('Let me look.');
    expect(fold(delta('Let me look.', 1), delta('It is ', 2), delta('there.', 2)).text).toBe('It is there.');
  });

  it('drops the text that another attempt writes anew', () => {
    const restarted = event('attempt_restarted', { attempt: 2, round: 1 });
    expect(fold(delta('half a sen', 1), restarted, delta('Whole.', 1)).text).toBe('Whole.');
  });

  it('names the tool that runs', () => {
    const begun = [event('tool_use', { tool_name: 'find', round: 1 })];
    expect(fold(...begun).toolName).toBe('find');
    expect(fold(...begun, event('tool_result', { tool_name: 'find', round: 1 })).toolName).toBeNull();
  });

  it('has the calls that wait for a person, until they are decided', () => {
    const asked = event('approval_required', { calls: [CALL] });
    expect(fold(asked)).toMatchObject({ status: 'requires_action', calls: [CALL] });
    expect(fold(asked, event('approval_decided', { call: '1.0' })).calls).toEqual([]);
    expect(fold(asked, event('status', { status: 'running' })).calls).toEqual([]);
  });

  it('ends with the answer', () => {
    const result = { status: 'completed', result: { message: { content: 'Done.' } } };
    expect(fold(delta('Do', 1), event('result', result))).toMatchObject({
      status: 'completed',
      text: 'Done.',
      result,
    });
  });

  it('passes over kinds of events that it does not know', () => {
    expect(fold(event('invented', { a: 1 }))).toBe(EMPTY_VIEW);
  });
});
