import { describe, expect, it } from '@jest/globals';
import type { StoredFile } from '../api/types.js';
import { readOptions, requestOf } from './request-of.js';
import { searchOf, sideOf, trySearchOf } from './try-search.js';

const SESSION = '01a220af-e456-76c3-931f-a1fc533d5055';
const side = (fields: object = {}) => ({ agent: 1, version: null, session: null, ...fields });
const draft = (fields: object = {}) => ({ text: 'Hello', files: [], options: '', executor: '', ...fields });

describe('the address of a trial', () => {
  it('holds both sides, and nothing that makes no sense', () => {
    const search = { agent: '1', version: 3, session: SESSION, agent2: 2, version2: '0', session2: 'x' };
    expect(trySearchOf(search)).toEqual({ agent: 1, version: 3, session: SESSION, agent2: 2 });
  });

  it('needs an agent for everything else that it says of a side', () => {
    expect(trySearchOf({ version: 3, session: SESSION, version2: 1 })).toEqual({});
  });

  it.each([
    [side(), null],
    [side({ version: 3, session: SESSION }), side({ agent: 2 })],
    [side(), side({ version: 1, session: SESSION })],
  ])('comes back as it went in: %j and %j', (first, second) => {
    const search = trySearchOf(
      JSON.parse(JSON.stringify(searchOf(first, second))) as Record<string, unknown>,
    );
    expect([sideOf(search, 'first'), sideOf(search, 'second')]).toEqual([first, second]);
  });

  it('moves the second side to the place of the first when that is closed', () => {
    expect(searchOf(null, side({ version: 2 }))).toEqual({ agent: 1, version: 2 });
    expect(searchOf(null, null)).toEqual({});
  });
});

describe('the request of a message', () => {
  it('has the text alone where nothing else was chosen', () => {
    expect(requestOf(draft(), side())).toEqual({ input: 'Hello' });
  });

  it('has everything that was chosen', () => {
    const files = [{ id: 'f1' } as StoredFile];
    const written = draft({ files, options: '{"temperature": 0}', executor: ' u-17 ' });
    expect(requestOf(written, side({ version: 2, session: SESSION }))).toEqual({
      input: 'Hello',
      agent_version: 2,
      session_uuid: SESSION,
      options: { temperature: 0 },
      executor: { user_id: 'u-17' },
      additional_data: { attachments: [{ id: 'f1' }] },
    });
  });
});

describe('options that a person typed', () => {
  it.each(['', ' \n'])('are none for %j', (text) => {
    expect(readOptions(text)).toEqual({ value: null, fault: null });
  });

  it.each(['[]', 'null', '5', '"x"'])('must be an object: %s', (text) => {
    expect(readOptions(text).fault).toContain('must be an object');
  });

  it('must be JSON', () => {
    expect(readOptions('{"a": }').fault).toMatch(/^is no JSON: /);
    expect(readOptions('{"a": 1}')).toEqual({ value: { a: 1 }, fault: null });
  });
});
