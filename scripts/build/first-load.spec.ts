import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { firstLoadOf, type BuiltFile } from './first-load.ts';

/** Content that gzip cannot make smaller. */
const file = (name: string, kilobytes: number, more: Partial<BuiltFile> = {}): BuiltFile => ({
  name,
  content: randomBytes(kilobytes * 1000),
  imports: [],
  isEntry: false,
  source: null,
  ...more,
});

describe('the first load of the console', () => {
  it('is the entry and the first screen with all that they import, each once', () => {
    const files = [
      file('entry.js', 20, { isEntry: true, imports: ['react.js', 'app.css'] }),
      file('runs.js', 10, { source: '/x/src/runs/runs-screen.tsx', imports: ['react.js', 'list.js'] }),
      file('react.js', 60),
      file('list.js', 5, { imports: ['react.js'] }),
      file('app.css', 4),
      file('markdown.js', 500),
      file('run.js', 90, { source: '/x/src/run/run-screen.tsx' }),
    ];
    expect(firstLoadOf(files)).toBeGreaterThanOrEqual(99);
    expect(firstLoadOf(files)).toBeLessThanOrEqual(101);
  });
});
