import { expect, it } from '@jest/globals';
import { describeLines, mayRunLine, type PermittedLine } from './stdio-lines.js';

const LINES: readonly PermittedLine[] = [
  { tenantId: 'acme', command: 'npx', args: ['-y', 'memory'], isOpen: false },
  { tenantId: null, command: 'node', args: ['/srv/tools.mjs'], isOpen: true },
];

it.each<[string, string, readonly string[], boolean]>([
  ['acme', 'npx', ['-y', 'memory'], true],
  ['other', 'npx', ['-y', 'memory'], false],
  ['acme', 'npx', ['-y', 'memory', '--more'], false],
  ['acme', 'npx', ['-y'], false],
  ['acme', 'npx', ['-y', 'another'], false],
  ['acme', 'uvx', ['-y', 'memory'], false],
  ['other', 'node', ['/srv/tools.mjs'], true],
  ['other', 'node', ['/srv/tools.mjs', '--of', 'x'], true],
  ['other', 'node', ['-e', '1', '/srv/tools.mjs'], false],
  ['other', 'node', [], false],
])('a tenant %s that asks for %s %j may run it: %s', (tenantId, command, args, expected) => {
  expect(mayRunLine(LINES, tenantId, { command, args })).toBe(expected);
});

it('says to a tenant which lines are its own', () => {
  expect(describeLines(LINES, 'other')).toEqual(['node /srv/tools.mjs *']);
  expect(describeLines(LINES, 'acme')).toEqual(['npx -y memory', 'node /srv/tools.mjs *']);
});
