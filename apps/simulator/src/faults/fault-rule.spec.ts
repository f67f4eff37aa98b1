import { describe, expect, it } from '@jest/globals';
import { FaultBook } from './fault-book.js';
import { faultConditionSchema, faultRuleSchema, isCounted, isHit, type CallFacts } from './fault-rule.js';

const CALL: CallFacts = { endpoint: 'responses', model: 'sim-echo', round: 2, lastUserText: 'order lemons' };

describe('a rule counts', () => {
  it.each([
    [{}, true],
    [{ endpoint: 'models' }, false],
    [{ model: 'sim-echo' }, true],
    [{ model: 'sim-script' }, false],
    [{ round: 2 }, true],
    [{ round: 1 }, false],
    [{ contains: 'lemons' }, true],
    [{ contains: 'limes' }, false],
    [{ model: 'sim-echo', round: 1 }, false],
  ])('%j: %s', (on, counted) => {
    expect(isCounted(faultConditionSchema.parse(on), CALL)).toBe(counted);
  });
});

describe('a rule hits', () => {
  const hits = (on: object): number[] =>
    Array.from({ length: 12 }, (_none, at) => at + 1).filter((call) =>
      isHit(faultConditionSchema.parse(on), call),
    );

  it.each<[object, number[]]>([
    [{ call: 3 }, [3]],
    [{ calls: [1, 4] }, [1, 4]],
    [{ first: 3 }, [1, 2, 3]],
    [{ every: 5 }, [5, 10]],
    [{ first: 4, every: 2 }, [2, 4]],
    [{ probability: 0 }, []],
    [{ probability: 1, first: 2 }, [1, 2]],
  ])('%j the calls %j', (on, calls) => {
    expect(hits(on)).toEqual(calls);
  });

  it('by lot, the same ones for the same seed', () => {
    const chosen = hits({ probability: 0.5, seed: 7 });
    expect(hits({ probability: 0.5, seed: 7 })).toEqual(chosen);
    expect(hits({ probability: 0.5, seed: 8 })).not.toEqual(chosen);
    expect(chosen.length).toBeGreaterThan(0);
    expect(chosen.length).toBeLessThan(12);
  });
});

describe('the book of faults', () => {
  const rule = faultRuleSchema.parse({ on: { call: 2 }, fault: { kind: 'crlf' } });

  it('counts for every rule by itself, from when it was made', () => {
    const book = new FaultBook();
    book.add(null, [rule]);
    expect(book.take(null, CALL)).toEqual([]);
    book.add(null, [rule]);
    expect(book.take(null, CALL)).toHaveLength(1);
    expect(book.take(null, CALL)).toHaveLength(1);
    expect(book.take(null, CALL)).toEqual([]);
  });

  it('keeps keys apart', () => {
    const book = new FaultBook();
    book.add('a', [rule]);
    book.take('b', CALL);
    book.take('a', CALL);
    expect(book.take('b', CALL)).toEqual([]);
    expect(book.take('a', CALL)).toHaveLength(1);
  });

  it('counts rules that come with a request by their scope', () => {
    const book = new FaultBook();
    expect(book.takeFrom([rule], 'one', CALL)).toEqual([]);
    expect(book.takeFrom([rule], 'two', CALL)).toEqual([]);
    expect(book.takeFrom([rule], 'one', CALL)).toHaveLength(1);
  });
});
