import { describe, expect, it } from '@jest/globals';
import { changedParts, rebasedServer } from './server-change.js';
import { EMPTY_SERVER, type ServerDraft } from './server-draft.js';

const BASE: ServerDraft = { ...EMPTY_SERVER, name: 'crm', url: 'https://a.example' };

describe('the change of a tool server', () => {
  it('is nothing where nothing differs that is sent', () => {
    expect(changedParts(BASE, BASE)).toEqual({});
    expect(changedParts(BASE, { ...BASE, command: 'npx' })).toEqual({});
  });

  it('is the parts that differ, the configuration as a whole', () => {
    expect(changedParts(BASE, { ...BASE, status: 'inactive', url: 'https://b.example' })).toEqual({
      status: 'inactive',
      config: { url: 'https://b.example' },
    });
  });

  it('brings the configuration along with another type, even where it is the same', () => {
    expect(changedParts(BASE, { ...BASE, type: 'sse' })).toEqual({
      type: 'sse',
      config: { url: 'https://a.example' },
    });
  });

  it('stays on top of what another page has saved', () => {
    const mine = { ...BASE, url: 'https://mine.example' };
    const theirs = { ...BASE, name: 'their_crm', url: 'https://theirs.example' };
    expect(rebasedServer(mine, BASE, theirs)).toEqual({ ...theirs, url: 'https://mine.example' });
  });
});
