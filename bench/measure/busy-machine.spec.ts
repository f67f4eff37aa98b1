import { describe, expect, it } from '@jest/globals';
import { whyTooBusy } from './busy-machine.mjs';

describe('whyTooBusy', () => {
  it.each([
    { loadAverage: 0, cores: 2 },
    { loadAverage: 1, cores: 2 },
    { loadAverage: 7.9, cores: 16 },
  ])('passes a load of $loadAverage on $cores cores', (machine) => {
    expect(whyTooBusy(machine)).toBeNull();
  });

  it('says how busy the machine is, and how busy it may be', () => {
    expect(whyTooBusy({ loadAverage: 1.01, cores: 2 })).toBe(
      'The machine is busy: a load of 1.01 over the last minute, and at most 1 is quiet on 2 cores.',
    );
  });
});
