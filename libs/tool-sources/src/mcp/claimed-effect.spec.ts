import { describe, expect, it } from '@jest/globals';
import { claimedEffect, type ToolAnnotations } from './claimed-effect.js';

describe('the effect that annotations claim', () => {
  it.each<[ToolAnnotations, string | null]>([
    [{}, null],
    [{ readOnlyHint: true }, 'read'],
    [{ readOnlyHint: true, destructiveHint: false, idempotentHint: false }, 'read'],
    [{ readOnlyHint: true, destructiveHint: true }, 'unsafe'],
    [{ idempotentHint: true }, 'idempotent'],
    [{ readOnlyHint: false, idempotentHint: true, destructiveHint: true }, 'idempotent'],
    [{ readOnlyHint: false }, 'unsafe'],
    [{ idempotentHint: false }, 'unsafe'],
    [{ destructiveHint: true }, 'unsafe'],
    [{ destructiveHint: false }, 'unsafe'],
  ])('for %j is %s', (annotations, effect) => {
    expect(claimedEffect(annotations)).toBe(effect);
  });
});
