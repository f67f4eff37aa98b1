import { describe, expect, it } from '@jest/globals';
import type { AgentVersion } from '../../api/types.js';
import { differingFields, diffLines, sortedJson } from './diff-lines.js';

const shown = (before: string, after: string): string[] =>
  (diffLines(before, after) ?? []).map(({ kind, text, before: old, after: fresh }) =>
    `${old ?? '-'} ${fresh ?? '-'} ${kind} ${text}`.trimEnd(),
  );

describe('the comparison of two texts', () => {
  it('has nothing where they are the same, or differ by the newline at their end', () => {
    expect(shown('a\nb', 'a\nb')).toEqual([]);
    expect(shown('a\nb', 'a\nb\n')).toEqual([]);
  });

  it('numbers the lines of both texts', () => {
    expect(shown('a\nb\nc', 'a\nB\nc')).toEqual(['1 1 same a', '2 - removed b', '- 2 added B', '3 3 same c']);
    expect(shown('', 'a')).toEqual(['- 1 added a']);
  });

  it('leaves out what is far from every change', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
    const changed = lines.map((line, index) => (index === 1 || index === 38 ? `${line}!` : line));
    const rows = shown(lines.join('\n'), changed.join('\n'));
    expect(rows).toContain('- - gap');
    expect(rows).toContain('39 - removed line 39');
    expect(rows).not.toContain('20 20 same line 20');
  });

  it('is given up where the texts have too little in common', () => {
    const lines = (word: string) =>
      Array.from({ length: 6_000 }, (_, index) => `${word} ${index}`).join('\n');
    expect(diffLines(lines('a'), lines('b'))).toBe(null);
  });
});

describe('the comparison of two versions', () => {
  const version = (part: Partial<AgentVersion>) => ({
    ...{ name: 'a', usecase_type: 'BASIC_CHAT', llm: 1, system_prompt: null, is_active: true },
    ...{ config: { x: 1, y: 2 }, tools: {} },
    ...part,
  });

  it('names the fields that differ, in any order of keys', () => {
    expect(differingFields(version({}), version({ config: { y: 2, x: 1 } }))).toEqual([]);
    expect(differingFields(version({}), version({ name: 'b', is_active: false, config: {} }))).toEqual([
      'name',
      'is_active',
      'config',
    ]);
  });

  it('sorts the keys of JSON, and leaves lists as they are', () => {
    expect(JSON.parse(sortedJson({ b: [{ d: 1, c: 2 }, 3], a: null }))).toEqual({
      a: null,
      b: [{ c: 2, d: 1 }, 3],
    });
    expect(sortedJson({ b: 1, a: { d: 1, c: 2 } })).toBe(sortedJson({ a: { c: 2, d: 1 }, b: 1 }));
  });
});
