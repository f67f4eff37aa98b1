import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SCOPES, parseScopes, SCOPES } from './api-key-scopes.js';

describe('scopes of a new key', () => {
  it.each([
    [SCOPES.join(','), SCOPES],
    ['all', SCOPES],
    ['audit:read, executions:write', ['audit:read', 'executions:write']],
  ])('reads %s', (list, expected) => expect(parseScopes(list)).toEqual(expected));

  it('are all but those of people where none is named, as docs/guides/security.md says', () => {
    const ofPeople = ['approvals:decide', 'admin'];
    expect([...DEFAULT_SCOPES, ...ofPeople].toSorted()).toEqual([...SCOPES].toSorted());
  });

  it.each([
    ['nope', 'nope'],
    ['audit:read,', ''],
    ['audit:read,Executions:write', 'Executions:write'],
  ])('refuses %s, and says which are known', (list, wrong) => {
    expect(() => parseScopes(list)).toThrow(`"${wrong}" is no scope; scopes are ${SCOPES.join(', ')}`);
  });
});
