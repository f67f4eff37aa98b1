import { describe, expect, it } from '@jest/globals';
import type { RunEvent } from '../api/types.js';
import { noteOf, scopeOf } from './note-of.js';

const eventOf = (event: string, data: object) => ({ id: '1', event, data }) as RunEvent;

describe('an event as a note', () => {
  it('shows what would act unseen', () => {
    const error = eventOf('error', { code: 'tool_failed', message: 'red \u001b[31m' });
    expect(noteOf(error)).toEqual({ tone: 'failed', text: 'tool_failed: red ␛[31m' });
    const refused = eventOf('approval_decided', { approved: false, reason: '\u202Eno', call: '1.0' });
    expect(noteOf(refused)?.text).toBe('Call 1.0 refused: ⟨U+202E⟩no');
  });

  it('is none where it says nothing to people', () => {
    expect(noteOf(eventOf('text_delta', { content: 'x', round: 1 }))).toBeNull();
  });

  it('is of the loop that it names', () => {
    expect([scopeOf(eventOf('error', { scope: '1.0' })), scopeOf(eventOf('error', {}))]).toEqual(['1.0', '']);
  });
});
