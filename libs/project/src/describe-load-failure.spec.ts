import { describe, expect, it } from '@jest/globals';
import { describeLoadFailure } from './describe-load-failure.js';

function failure(stack: string, message = 'boom'): Error {
  return Object.assign(new TypeError(message), { stack });
}

describe('description of a file that cannot be loaded', () => {
  it.each([
    ['a frame with a function', 'TypeError: boom\n    at run (file:///p/tools/a.ts:3:7)', 'tools/a.ts:3'],
    ['a frame without a function', 'TypeError: boom\n    at file:///p/tools/a.ts:3:7', 'tools/a.ts:3'],
    ['a syntax error', 'file:///p/tools/a.ts:9\nconst = 1;\nSyntaxError: Unexpected token', 'tools/a.ts:9'],
    ['a name with a space', 'TypeError: boom\n    at file:///p/tools/my%20tool.ts:3:7', 'tools/my tool.ts:3'],
    [
      'a package below the project',
      'TypeError: boom\n    at f (file:///p/node_modules/x/i.js:1:1)\n    at file:///p/tools/a.ts:4:1',
      'tools/a.ts:4',
    ],
    ['a stack outside of the project', 'TypeError: boom\n    at f (node:internal/x:1:1)', 'tools/b.ts'],
  ])('names the place of %s', (_case, stack, place) => {
    expect(describeLoadFailure('/p', place.split(':', 1)[0] ?? '', failure(stack))).toEqual({
      place,
      reason: 'TypeError: boom',
    });
  });

  it('names the imported file and the file that threw', () => {
    const stack = 'TypeError: boom\n    at file:///p/tools/a.ts:3:7';
    expect(describeLoadFailure('/p', 'agents/b.ts', failure(stack))).toEqual({
      place: 'agents/b.ts',
      reason: 'tools/a.ts:3: TypeError: boom',
    });
  });

  it('quotes the first line of the message only', () => {
    expect(describeLoadFailure('/p', 'tools/b.ts', failure('', 'first\nsecond')).reason).toBe(
      'TypeError: first',
    );
  });

  it('describes a thrown value that is no error', () => {
    expect(describeLoadFailure('/p', 'tools/b.ts', 'text')).toEqual({
      place: 'tools/b.ts',
      reason: 'it threw string, not an Error',
    });
  });
});
