import { describe, expect, it } from '@jest/globals';
import { findPathFault, foldersOf } from './workspace-path.js';

describe('the path of a workspace file', () => {
  it.each(['a', 'reports/may.csv', 'Été/注文.txt', '.env', 'a..b/c', 'a b.txt', '%2e%2e', 'x'.repeat(100)])(
    'may be %j',
    (path) => expect(findPathFault(path)).toBeNull(),
  );

  it.each([
    ['nothing', '', 'must have 1 to 100 characters'],
    ['101 characters', 'x'.repeat(101), 'must have 1 to 100 characters'],
    ['absolute', '/etc/passwd', 'must be a relative path'],
    ['a way up', '../secret', 'must be a relative path'],
    ['a way up inside', 'a/../../secret', 'must be a relative path'],
    ['a way to itself', './a', 'must be a relative path'],
    ['an empty part', 'a//b', 'must be a relative path'],
    ['a folder', 'a/', 'must be a relative path'],
    ['NUL', 'a.txt\0.png', 'must not have a backslash'],
    ['a backslash', 'a\\b', 'must not have a backslash'],
    ['a line break', 'a\nb', 'must not have a backslash'],
    ['a line separator', 'a\u2028b', 'must not have a backslash'],
    ['a turned direction', 'a\u202egnp.txt', 'must not have a backslash'],
    ['a character of no width', 'a\u200bb', 'must not have a backslash'],
    ['half a character', 'a\ud800', 'must not have a backslash'],
    ['a decomposed letter', 'e\u0301.txt', 'must be in the Unicode form NFC'],
    ['a fringe of space', 'a /b', 'must not have a space'],
    ['a hidden way up', ' ..', 'must not have a space'],
  ])('is refused with %s', (_name, path, fault) => expect(findPathFault(path)).toContain(fault));

  it('has its folders, outermost first', () => {
    expect(foldersOf('a/b/c.txt')).toEqual(['a', 'a/b']);
    expect(foldersOf('a.txt')).toEqual([]);
  });
});
