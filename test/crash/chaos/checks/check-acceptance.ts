import type { ChaosWorld } from '../ledgers/chaos-world.js';
import { groupBy, SETTLED, type Violation } from './violation.js';

/** I1: every accepted execution ends exactly once. */
export function checkAcceptedWorkEnds(world: ChaosWorld): Violation[] {
  const rows = new Map(world.database.executions.map((row) => [row.id, row]));
  const settlements = groupBy(
    world.database.journal.filter((entry) => entry.kind === 'execution_settled'),
    (entry) => entry.executionId,
  );
  const violations: Violation[] = [];
  for (const { key, acceptedAs } of world.submissions) {
    for (const id of new Set(acceptedAs)) {
      const status = rows.get(id)?.status;
      const broken = (detail: string) => violations.push({ invariant: 'I1', subject: id, detail });
      if (status === undefined) broken(`was accepted for ${key} and is gone`);
      else if (!SETTLED.has(status)) broken(`was accepted for ${key} and is still ${status}`);
      else if (settlements.get(id)?.length !== 1)
        broken(`is ${status} with ${settlements.get(id)?.length ?? 0} settlements in its journal`);
    }
  }
  return violations;
}

/** I2: an ending that a client has seen never changes. */
export function checkEndingsAreFinal(world: ChaosWorld): Violation[] {
  const rows = new Map(world.database.executions.map((row) => [row.id, row]));
  return world.endings
    .filter((ending) => rows.get(ending.executionId)?.status !== ending.status)
    .map(({ executionId, status, source }) => ({
      invariant: 'I2',
      subject: executionId,
      detail: `a client has seen "${status}" (${source}), but it is ${rows.get(executionId)?.status ?? 'gone'}`,
    }));
}

/** I3: one idempotency key is one execution; a submission without an answer is one execution or none. */
export function checkKeysNameOneExecution(world: ChaosWorld): Violation[] {
  const byKey = groupBy(world.database.executions, (row) => `${row.tenantId}/${row.key ?? row.id}`);
  return world.submissions.flatMap(({ key, tenantId, acceptedAs }): Violation[] => {
    const stored = byKey.get(`${tenantId}/${key}`)?.length ?? 0;
    const answers = new Set(acceptedAs).size;
    if (answers <= 1 && stored <= 1) return [];
    return [
      {
        invariant: 'I3',
        subject: key,
        detail: `${answers} executions were answered for it, ${stored} are stored`,
      },
    ];
  });
}
