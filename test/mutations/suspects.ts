import type { Mutant } from './mutant.js';

const CLAIM_SQL = 'libs/persistence/src/executions/claim-sql.ts';
const BLAME_SPEC = 'test/integration/persistence/blame.spec.ts';
const SILENCE = 'apps/worker/src/guard/silence.ts';
const SILENCE_SPEC = 'apps/worker/src/guard/silence.spec.ts';

/** Suspects and isolation: losses through no fault of an execution cost it nothing that it knows. */
export const SUSPECT_MUTANTS: readonly Mutant[] = [
  {
    row: 'suspects',
    file: CLAIM_SQL,
    find: 'deadline_at = coalesce(deadline_at, now()',
    replace: 'deadline_at = coalesce(now()',
    spec: BLAME_SPEC,
    why: 'every attempt gives an execution new time',
  },
  {
    row: 'suspects',
    file: CLAIM_SQL,
    find: 'ORDER BY place_in_batch) = 1)',
    replace: 'ORDER BY place_in_batch) >= 1)',
    spec: 'test/integration/persistence/claims-together.spec.ts',
    why: 'suspects that wait for their processes are lost with the worker, and blamed for it',
  },
  {
    row: 'suspects',
    file: 'apps/worker/src/isolation/process-isolation.ts',
    find: ' || this.starts.areTaken) return null;',
    replace: ') return null;',
    spec: 'apps/worker/src/isolation/process-isolation.spec.ts',
    why: 'suspects are claimed although none can start',
  },
  {
    row: 'suspects',
    file: 'libs/agent-core/src/ledger.ts',
    find: '      await this.letGo().catch(() => undefined);\n      throw error;\n    }\n  }\n\n  /** Resolves',
    replace: '      throw error;\n    }\n  }\n\n  /** Resolves',
    spec: 'libs/agent-core/src/write-behind.spec.ts',
    why: 'an answer of the model that was paid for is thrown away, and nobody knows of it',
  },
  {
    row: 'suspects',
    file: SILENCE,
    find: 'wholeMs - (waitedMs - silence.waitedMs)',
    replace: 'wholeMs',
    spec: SILENCE_SPEC,
    why: 'a process that only waits for a processor ends itself, and what it ran is blamed for it',
  },
  {
    row: 'suspects',
    file: SILENCE,
    find: 'wholeMs - (waitedMs - silence.waitedMs)',
    replace: 'wholeMs - waitedMs',
    spec: SILENCE_SPEC,
    why: 'a process that once waited long may hang for as long',
  },
  {
    row: 'suspects',
    file: SILENCE,
    find: 'wholeMs * LEAST_SHARE)',
    replace: '0)',
    spec: SILENCE_SPEC,
    why: 'a process that hangs on a busy machine hangs for as long as that is busy',
  },
];
