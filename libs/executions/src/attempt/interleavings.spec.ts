import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldEntries, type JournalBatch, type JournalEntry } from '#libs/agent-core';
import type { ExecutionResult } from '#libs/payloads';
import { InMemoryJournal } from '../../../../test/support/fakes/in-memory-journal.js';
import { ForgetfulExecution } from '../../../../test/support/interleavings/forgetful-execution.js';
import { findViolations } from '../../../../test/support/interleavings/find-violations.js';
import {
  HAPPENINGS,
  InterleavedRun,
  type Breakage,
  type Scenario,
} from '../../../../test/support/interleavings/interleaved-run.js';
import { AGENT_TOOL } from '../../../../test/support/interleavings/tool-ledger.js';
import { RUNS_ALL } from '../../../../test/support/selection.js';

const RUNS = RUNS_ALL ? 4_000 : 1_000;
/** Fixed seed for reproducible runs; INTERLEAVINGS_SEED=… selects another one. */
const SEED = Number(process.env['INTERLEAVINGS_SEED'] ?? 1);

const tool = fc.constantFrom('search', 'upsert', 'charge', 'forbidden', AGENT_TOOL, AGENT_TOOL);
const whim = fc.oneof(
  { weight: 5, arbitrary: fc.array(tool, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const happening = fc.record({
  after: fc.nat(12),
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...HAPPENINGS) },
    { weight: 4, arbitrary: fc.constant('take_over' as const) },
    { weight: 1, arbitrary: fc.constant('forget_claim' as const) },
  ),
});
const scenario: fc.Arbitrary<Scenario> = fc.record({
  handOver: fc.constantFrom('queued', 'assigned', 'unheard'),
  whims: fc.array(whim, { maxLength: 6 }),
  happenings: fc.array(happening, { maxLength: 10 }),
});

function explore(breakage: () => Breakage, onRun: (run: InterleavedRun) => void = () => undefined) {
  return fc.asyncProperty(fc.scheduler(), scenario, async (scheduler, scene) => {
    const run = await InterleavedRun.play(scheduler, scene, breakage());
    expect(findViolations(run, foldEntries)).toEqual([]);
    onRun(run);
  });
}

function endingOf({ execution }: InterleavedRun): string {
  const [settlement] = execution.settlements;
  if (!settlement) return 'cancelled before it began';
  return settlement.error?.code ?? settlement.incompleteReason ?? settlement.status;
}

describe('workers that overlap, die, drain and are cancelled in any order', () => {
  it('settle an execution once, and repeat nothing that must not be repeated', async () => {
    const endings = new Set<string>();
    let [writers, scopes, depth, forgotten] = [0, 0, 0, 0];
    await fc.assert(
      explore(
        () => ({}),
        (run) => {
          endings.add(endingOf(run));
          const { facts } = run.execution;
          forgotten = Math.max(forgotten, run.execution.forgotten.length);
          writers = Math.max(writers, new Set(facts.map((fact) => fact.epoch)).size);
          const opened = new Set(facts.map(({ entry }) => entry.scope ?? ''));
          scopes = Math.max(scopes, opened.size);
          for (const scope of opened) depth = Math.max(depth, scope.split('/').length);
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );

    // An ending that never occurs is untested.
    expect([...endings].sort()).toEqual([
      'CANCELLED',
      'POISONED',
      'RATE_LIMITED',
      'TOOL_OUTCOME_UNKNOWN',
      'cancelled before it began',
      'completed',
      'max_iterations',
      'timeout',
    ]);
    expect(writers).toBeGreaterThan(2);
    expect(scopes).toBeGreaterThan(3);
    expect(depth).toBeGreaterThan(1);
    expect(forgotten).toBeGreaterThan(1);
  });
});

describe('the search for broken promises', () => {
  class WithoutFence extends ForgetfulExecution {
    protected override isHeldBy(): boolean {
      return true;
    }
  }

  /**
   * After a crash of the database an epoch is issued twice, and the former holder passes the fence together with the new
   * one.
   */
  class FencedByEpoch extends ForgetfulExecution {
    private readonly epochs = new Map<string, number>();

    override take(...call: Parameters<ForgetfulExecution['take']>): ReturnType<ForgetfulExecution['take']> {
      const taken = super.take(...call);
      if (taken !== null && taken !== 'not_now') this.epochs.set(taken.token, taken.epoch);
      return taken;
    }

    protected override isHeldBy({ token }: { token: string }): boolean {
      return this.status === 'running' && this.epochs.get(token) === this.epoch;
    }
  }

  class WithoutEnd extends ForgetfulExecution {
    override settle(...call: Parameters<ForgetfulExecution['settle']>): ExecutionResult {
      const view = super.settle(...call);
      this.status = 'running';
      return view;
    }
  }

  /** Records a call only after it has ended. */
  class WithoutIntent extends InMemoryJournal {
    override append({ entries, runSteps }: JournalBatch): Promise<void> {
      return super.append({ entries: entries.filter(({ kind }) => kind !== 'tool_call_started'), runSteps });
    }
  }

  /** Hides from the next attempt the calls that inner loops have begun. */
  class WithoutScopes extends InMemoryJournal {
    override async read(): Promise<readonly JournalEntry[]> {
      const entries = await super.read();
      return entries.filter(({ scope, kind }) => scope === undefined || !kind.startsWith('tool_call'));
    }
  }

  it.each<[protection: string, harm: RegExp, () => Breakage]>([
    ['the fence', /it was settled [2-9] times/, () => ({ execution: new WithoutFence() })],
    ['a fence that cannot come again', /an attempt broke off/, () => ({ execution: new FencedByEpoch() })],
    ['the end', /it was settled \d+ times/, () => ({ execution: new WithoutEnd() })],
    [
      'the intent before each call',
      /the unsafe call \d\.\d took effect twice/,
      () => ({ openJournal: (execution, claim) => new WithoutIntent(execution, claim) }),
    ],
    [
      'what the scopes have done',
      /the unsafe call \d\.\d:\d\.\d took effect twice/,
      () => ({ openJournal: (execution, claim) => new WithoutScopes(execution, claim) }),
    ],
  ])('finds the harm when %s is missing', async (_protection, harm, breakage) => {
    const found = new Set<string>();
    const property = fc.asyncProperty(fc.scheduler(), scenario, async (scheduler, scene) => {
      const violations = findViolations(await InterleavedRun.play(scheduler, scene, breakage()), foldEntries);
      for (const violation of violations) found.add(violation);
      return !violations.some((violation) => harm.test(violation));
    });

    const { failed } = await fc.check(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });

    expect([failed, [...found].some((violation) => harm.test(violation))]).toEqual([true, true]);
  });
});
