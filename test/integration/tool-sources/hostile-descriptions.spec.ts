import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DescriptionReader } from '#libs/tool-sources';
import { ToolServerFailure } from '#libs/tooling';
import { programFile } from '../../../scripts/build/programs.ts';
import { hostileDescription } from '../../support/hostile/hostile-descriptions.js';
import { hostileSeed } from '../../support/hostile/hostile-seed.js';

const PROGRAM = join(import.meta.dirname, '../../..', programFile('description-program'));
const reader = new DescriptionReader({ program: PROGRAM });
/** Maximum characters of a description as JSON. An unreadable description is kept unchanged. */
const MAX_CHARS = 2 ** 24;

describe('any hostile description', () => {
  it('is read within the limits of its process, or refused with the reason', async () => {
    await fc.assert(
      fc.asyncProperty(hostileDescription, async (text) => {
        const { document, check } = await reader.read('tenant', text);
        expect(JSON.stringify(document).length / 2).toBeLessThanOrEqual(MAX_CHARS);
        expect(check.problems.length > 0).toBe(check.operations === 0);
        if (check.problems.length > 0) return;
        const prepared = await reader.prepare('tenant', document).catch((error: unknown) => error);
        if (prepared instanceof Error) expect(prepared).toBeInstanceOf(ToolServerFailure);
        else if (prepared !== null && typeof prepared === 'object' && !('fault' in prepared))
          expect(prepared).toHaveProperty('operations');
      }),
      hostileSeed({ daily: 2, all: 30 }),
    );
  });
});
