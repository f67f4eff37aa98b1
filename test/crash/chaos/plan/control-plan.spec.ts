import { describe, expect, it } from '@jest/globals';
import { CONTROLS, EXPECTED, planControlFaults } from './control-plan.js';
import { INVARIANTS } from '../checks/check-world.js';
import { SCALED } from './times.js';

describe('the faults of a control', () => {
  it('hit both workers again and again', () => {
    for (const control of CONTROLS) {
      const plan = planControlFaults(control, 30_000, SCALED);
      const victims = plan.map(({ fault }) => ('victim' in fault ? fault.victim : ''));
      expect(new Set(victims)).toEqual(new Set(['worker-1', 'worker-2']));
      expect(plan.length).toBeGreaterThanOrEqual(4);
    }
  });

  it('freeze beyond the lease where the fence is missing', () => {
    const [first] = planControlFaults('fence', 30_000, SCALED);
    expect(first?.fault).toMatchObject({ kind: 'freeze' });
    expect((first?.fault as { frozenMs: number }).frozenMs).toBeGreaterThan(SCALED.leaseSeconds * 1_000);
  });

  it('are expected to break promises that are checked', () => {
    for (const invariant of Object.values(EXPECTED).flat())
      expect(Object.keys(INVARIANTS)).toContain(invariant);
  });
});
