import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_JSON_DEPTH } from '#libs/kernel';
import { hostileArguments } from '../../../../test/support/hostile/hostile-arguments.js';
import { hostileSeed } from '../../../../test/support/hostile/hostile-seed.js';
import { MAX_ARGUMENT_CHARACTERS, parseToolArguments } from '../parse-tool-arguments.js';
import { repairArguments } from './repair-arguments.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('any hostile arguments', () => {
  it('are read, repaired to arguments that can be read, or refused in words', () => {
    fc.assert(
      fc.property(hostileArguments, fc.boolean(), (text, mayGuess) => {
        const repaired = repairArguments(text, { mayGuess });
        expect((repaired ?? '').length).toBeLessThanOrEqual(MAX_ARGUMENT_CHARACTERS);
        const parsed = parseToolArguments(repaired ?? text);
        if (repaired !== null) expect(parsed.success).toBe(true);
        if (parsed.success) expect(depthOf(parsed.data)).toBeLessThanOrEqual(MAX_JSON_DEPTH);
        else expect(parsed.error).toMatch(/^tool arguments must /);
        expect({}).not.toHaveProperty('polluted');
      }),
      hostileSeed({ daily: 20, all: 200 }),
    );
  });
});
