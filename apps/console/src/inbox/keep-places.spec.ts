import { describe, expect, it } from '@jest/globals';
import type { ExecutionSummary } from '../api/types.js';
import { keepPlaces } from './keep-places.js';

const run = (id: string) => ({ id }) as ExecutionSummary;
const [a, b, c] = [run('a'), run('b'), run('c')];

describe('the places of the inbox', () => {
  const before = keepPlaces([], [a, b]);

  it('stay when a run was decided, and new runs come last', () => {
    const lines = keepPlaces(before, [c, b]).map(({ run: { id }, isWaiting }) => `${id} ${isWaiting}`);
    expect(lines).toEqual(['a false', 'b true', 'c true']);
  });

  it('are the same object while nothing changes', () => {
    expect(keepPlaces(before, [a, b])).toBe(before);
    const decided = keepPlaces(before, [b]);
    expect(keepPlaces(decided, [b])).toBe(decided);
  });

  it('hold a run that waits once more', () => {
    const again = run('a');
    expect(keepPlaces(keepPlaces(before, [b]), [again, b])[0]).toEqual({ run: again, isWaiting: true });
  });
});
