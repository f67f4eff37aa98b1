import { expect, it } from '@jest/globals';
import { stdioRules } from './start-stdio.js';

const LINES = [{ tenantId: null, command: 'npx', args: ['-y', 'memory'], isOpen: false }];
const none = () => null;

it('does not start with processes of tenants where the system offers no isolation', () => {
  expect(() => stdioRules({ lines: LINES, isUnsafe: false }, none)).toThrow('STDIO_UNSAFE=true');
});

it.each([
  ['where there are none', { lines: [], isUnsafe: false }, none, null],
  [
    'isolated as the system allows',
    { lines: LINES, isUnsafe: false },
    () => 'namespace' as const,
    'namespace',
  ],
  ['without isolation where the operator says so', { lines: LINES, isUnsafe: true }, none, null],
])('starts %s', (_where, stdio, find, isolation) => {
  expect(stdioRules(stdio, find)).toMatchObject({ lines: stdio.lines, isolation });
});
