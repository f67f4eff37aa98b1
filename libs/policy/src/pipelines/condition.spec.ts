import { describe, expect, it } from '@jest/globals';
import { conditionSchema, holds, pointersInCondition, type Condition } from './condition.js';

const DATA = { text: 'roma tomatoes', n: 3, yes: true, none: null, list: [{ a: 1, b: 2 }, 'x'] };
const of = (value: string, test: object): Condition => ({ value, ...test }) as Condition;

describe('a condition', () => {
  it.each<[Condition, boolean]>([
    [of('/yes', { equals: true }), true],
    [of('/yes', { equals: 'true' }), false],
    [of('/list/0', { equals: { b: 2, a: 1 } }), true],
    [of('/list/0', { equals: { a: 1 } }), false],
    [of('/list', { equals: [{ a: 1, b: 2 }] }), false],
    [of('/gone', { equals: null }), false],
    [of('/none', { equals: null }), true],
    [of('/n', { one_of: [1, 3] }), true],
    [of('/n', { one_of: ['3'] }), false],
    [of('/n', { at_least: 3 }), true],
    [of('/n', { at_least: 3.1 }), false],
    [of('/n', { at_most: 3 }), true],
    [of('/n', { at_most: 2 }), false],
    [of('/text', { at_most: 2 }), false],
    [of('/text', { contains: 'tom' }), true],
    [of('/text', { contains: 1 }), false],
    [of('/list', { contains: { b: 2, a: 1 } }), true],
    [of('/list', { contains: 'y' }), false],
    [of('/n', { contains: 3 }), false],
    [of('/gone', { exists: true }), false],
    [of('/none', { exists: true }), false],
    [of('/gone', { exists: false }), true],
    [of('/n', { exists: true }), true],
    [{ not: of('/n', { equals: 3 }) }, false],
    [{ all: [of('/n', { equals: 3 }), of('/yes', { equals: false })] }, false],
    [{ any: [of('/n', { equals: 4 }), of('/yes', { equals: true })] }, true],
  ])('%j is %s', (condition, answer) => {
    expect(conditionSchema.parse(condition)).toEqual(condition);
    expect(holds(condition, DATA)).toBe(answer);
  });

  it('says what it asks about', () => {
    const condition = { all: [of('/n', { equals: 3 }), { any: [{ not: of('/yes', { exists: true }) }] }] };
    expect(pointersInCondition(condition)).toEqual(['/n', '/yes']);
  });
});
