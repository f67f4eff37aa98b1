import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkFilesPath } from './file-sandbox.js';

describe('checkFilesPath', () => {
  it.each([
    ['/files/a', 'a'],
    ['/files//a', 'a'],
    ['/files/./a', 'a'],
    ['/files/sub/../a', 'a'],
    ['/files/sub/deep/a.png', 'sub/deep/a.png'],
    ['/files/a/', 'a'],
    ['/files/..a', '..a'],
    ['/files/...', '...'],
    ['/files/%2e%2e/a', '%2e%2e/a'],
    ['/files/写真.png', '写真.png'],
    ['/files/～/a', '～/a'],
  ])('accepts %s (S0-39, S1-73, 3.D-13)', (path, relative) => {
    expect(checkFilesPath(path)).toEqual({ kind: 'inside', relative });
  });

  it.each([
    ['the root itself', '/files'],
    ['the root with a slash', '/files/'],
    ['a relative path', 'files/a'],
    ['a folder that only begins alike', '/filesx/a'],
    ['another case', '/Files/a'],
    ['another folder', '/etc/passwd'],
    ['a way out', '/files/../etc/passwd'],
    ['a way out of a folder', '/files/sub/../../etc/passwd'],
    ['a way out and back', '/files/../files/a'],
    ['a way to the root', '/files/a/..'],
    ['the folder above', '/files/..'],
    ['an empty path', ''],
    ['space before it', ' /files/a'],
    ['a double slash before it', '//files/a'],
    ['an address', 'file:///files/a'],
    ['NUL', '/files/a\0.png'],
    ['backslashes', '/files/..\\..\\etc\\passwd'],
    ['half a character', '/files/\ud800'],
    ['a path longer than any', `/files/${'a/'.repeat(3_000)}a`],
  ])('refuses %s (S0-39, S0-40, 3.D-13)', (_name, path) => {
    expect(checkFilesPath(path)).toEqual({ kind: 'refused' });
  });

  it('never answers a path outside its root, for any input', () => {
    const segment = fc.constantFrom('..', '.', '', 'a', 'b', '...', '.. ', '%2e', '..\\', '\0', '~');
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 12 }),
        fc.constantFrom('/files/', '/files', '', '/'),
        (segments, start) => {
          const checked = checkFilesPath(start + segments.join('/'));
          if (checked.kind === 'refused') return;
          expect(checked.relative.split('/').filter((part) => ['', '.', '..'].includes(part))).toEqual([]);
          expect(start.startsWith('/files')).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
