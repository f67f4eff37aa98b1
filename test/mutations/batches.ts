import type { Mutant } from './mutant.js';

const COMBINER = 'libs/concurrency/src/combiner.ts';
const COMBINER_SPEC = 'libs/concurrency/src/combiner.spec.ts';
const READS = 'libs/persistence/src/executions/execution.store.ts';
const READS_SPEC = 'test/integration/persistence/reads-together.spec.ts';

/** Batching: each item of a batch gets the result that it would get alone. */
export const BATCH_MUTANTS: readonly Mutant[] = [
  {
    row: 'batches',
    file: 'libs/persistence/src/executions/claim-sql.ts',
    find: "judged.seen_status = 'queued' AND locked.status = 'queued'",
    replace: "locked.status IN ('queued', 'running')",
    spec: 'test/integration/persistence/claims-together.spec.ts',
    why: 'an attempt begins without a fact that the one before it wrote while it was claimed, and ends by it',
  },
  {
    row: 'batches',
    file: 'libs/persistence/src/executions/claim-sql.ts',
    find: ' AND locked.epoch = judged.seen_epoch',
    replace: '',
    spec: 'test/integration/persistence/claims-together.spec.ts',
    why: 'an attempt begins without the facts of one that began and ended while it was claimed',
  },
  {
    row: 'batches',
    file: COMBINER,
    find: 'batch.length > 1 && this.options.mayRunAlone(error)',
    replace: 'this.options.mayRunAlone(error)',
    spec: COMBINER_SPEC,
    why: 'what failed by itself is run a second time',
  },
  {
    row: 'batches',
    file: COMBINER,
    find: 'batch.length > 1 && this.options.mayRunAlone(error)',
    replace: 'batch.length > 1',
    spec: COMBINER_SPEC,
    why: 'a batch that may have taken effect is written again',
  },
  {
    row: 'batches',
    file: COMBINER,
    find: "(mayRunAlone ? { kind: 'alone' } : { kind: 'failed', error })",
    replace: "({ kind: 'failed', error })",
    spec: COMBINER_SPEC,
    why: 'one bad item fails those that it shares a batch with',
  },
  {
    row: 'batches',
    file: COMBINER,
    find: '      if (answers.length === batch.length) return answers;\n',
    replace: '      if (answers.length > 0) return answers;\n',
    spec: COMBINER_SPEC,
    why: 'an item gets the answer of another one, or none',
  },
  {
    row: 'batches',
    file: COMBINER,
    find: 'this.busyLanes < (this.options.lanes ?? LANES)) {',
    replace: 'true) {',
    spec: COMBINER_SPEC,
    why: 'nothing is collected while a batch is under way',
  },
  {
    row: 'batches',
    file: COMBINER,
    find: '    this.busyLanes -= 1;\n    this.deferBatches();\n    batch.forEach',
    replace: '    this.busyLanes -= 1;\n    batch.forEach',
    spec: COMBINER_SPEC,
    why: 'what was collected meanwhile waits for the next call',
  },
  {
    row: 'batches',
    file: COMBINER,
    find: "else if (answer?.kind === 'alone') this.track(this.runAlone(waiting));",
    replace: "else if (answer?.kind === 'alone') void this.runAlone(waiting);",
    spec: COMBINER_SPEC,
    why: 'a process ends while something still runs by itself',
  },
  {
    row: 'batches',
    file: COMBINER,
    find: '(count >= mostItems || weight + next.weight > mostWeight)',
    replace: 'count >= mostItems',
    spec: COMBINER_SPEC,
    why: 'a batch grows to a statement that no database takes',
  },
  {
    row: 'batches',
    file: 'libs/persistence/src/executions/accept-sql.ts',
    find: 'SELECT $4, $2, $3, 2 WHERE',
    replace: 'SELECT $4, $2, NULL::int, 2 WHERE',
    spec: 'test/integration/persistence/accepting-together.spec.ts',
    why: 'a new session that is accepted by itself does not say which agent it is of',
  },
  {
    row: 'batches',
    file: READS,
    find: 'WHERE e.tenant_id = asked.tenant_id AND e.id = asked.id',
    replace: 'WHERE e.id = asked.id',
    spec: READS_SPEC,
    why: 'one tenant reads the executions of another',
  },
  {
    row: 'batches',
    file: READS,
    find: 'byPlace.get(index + 1)',
    replace: 'byPlace.get(index)',
    spec: READS_SPEC,
    why: 'who asks for an execution is answered with the one that somebody else has asked for',
  },
  {
    row: 'batches',
    file: READS,
    find: 'mayRunAlone: hasDoneNothing',
    replace: 'mayRunAlone: () => false',
    spec: READS_SPEC,
    why: 'what is wrong with one question fails all that are asked at the same time',
  },
];
