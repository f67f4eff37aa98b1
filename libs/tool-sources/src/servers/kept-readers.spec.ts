import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { KeptReaders } from './kept-readers.js';

describe('the readers that are kept', () => {
  const compiled: string[] = [];
  const compile = (schema: JsonObject) => {
    compiled.push(JSON.stringify(schema));
    return (data: unknown) => ({ success: true as const, data });
  };

  it('compile a schema once', () => {
    const readers = new KeptReaders(compile);
    expect(readers.of({ type: 'object' })).toBe(readers.of({ type: 'object' }));
    expect(compiled).toEqual(['{"type":"object"}']);
  });

  it.each([
    ['small ones, each of which takes its memory all the same', 40, 0, 9],
    ['large ones, which take more', 40, 10_000, 0],
  ])('are few: %s', (_name, count, characters, kept) => {
    const readers = new KeptReaders(compile, 40_000);
    for (let at = 0; at < count; at += 1) readers.of({ title: `${at} ${'x'.repeat(characters)}` });
    expect(readers.size).toBe(kept);
  });

  it('are given up oldest first', () => {
    const readers = new KeptReaders(compile, 9_000);
    const [first, second] = [{ title: 'first' }, { title: 'second' }].map(readers.of);
    expect(readers.of({ title: 'second' })).toBe(second);
    readers.of({ title: 'third' });
    expect(readers.of({ title: 'second' })).toBe(second);
    expect(readers.of({ title: 'first' })).not.toBe(first);
  });
});
