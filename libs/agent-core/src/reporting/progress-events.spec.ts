import { describe, expect, it } from '@jest/globals';
import type { ExecutionEvent } from '#libs/payloads';
import { ProgressEvents } from './progress-events.js';

const CALL = { callId: 'call_1', toolName: 'import', round: 2 };

function follow(): { events: ExecutionEvent[]; progress: ProgressEvents } {
  const events: ExecutionEvent[] = [];
  return { events, progress: new ProgressEvents({ emit: (event) => events.push(event) }, CALL) };
}

describe('ProgressEvents', () => {
  it('says of which call a report is', () => {
    const { events, progress } = follow();
    progress.progress({ message: 'half of it', done: 5, total: 10 });
    progress.progress({});
    const data = { tool_use_id: 'call_1', tool_name: 'import', status: 'running', round: 2 };
    expect(events).toEqual([
      { event: 'tool_progress', data: { ...data, message: 'half of it', done: 5, total: 10 } },
      { event: 'tool_progress', data: { ...data, message: null, done: null, total: null } },
    ]);
  });

  it('shows what can be stored, and no more than 500 characters of it', () => {
    const { events, progress } = follow();
    progress.progress({ message: `\0${'x'.repeat(600)}`, done: Number.NaN, total: Infinity });
    expect(events[0]?.data).toMatchObject({ message: 'x'.repeat(499), done: null, total: null });
  });

  it('is silent once the call has ended', () => {
    const { events, progress } = follow();
    progress.end();
    progress.progress({ message: 'late' });
    expect(events).toEqual([]);
  });

  it('is silent after 100 reports', () => {
    const { events, progress } = follow();
    for (let done = 1; done <= 150; done += 1) progress.progress({ done });
    expect(events).toHaveLength(100);
  });
});
