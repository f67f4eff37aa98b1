import { callKeyOf } from '../ledgers/call-key.js';
import type { ChaosWorld } from '../ledgers/chaos-world.js';
import type { ExecutionRow, JournalRow } from '../ledgers/database-ledger.js';
import { groupBy, SETTLED, type Violation } from './violation.js';

/** I7: once a new attempt has written, earlier attempts write nothing more; nothing is written after the ending. */
export function checkFence(world: ChaosWorld): Violation[] {
  const journals = groupBy(world.database.journal, (entry) => entry.executionId);
  return world.database.executions.flatMap((execution) =>
    brokenFence(execution, journals.get(execution.id) ?? []).map((detail) => ({
      invariant: 'I7',
      subject: execution.id,
      detail,
    })),
  );
}

function brokenFence(execution: ExecutionRow, journal: readonly JournalRow[]): string[] {
  let highest = 0;
  for (const [index, entry] of journal.entries()) {
    if (entry.sequence !== index + 1) return [`its journal lacks entry ${index + 1}`];
    if (entry.epoch < highest)
      return [`attempt ${entry.epoch} wrote "${entry.kind}" after attempt ${highest} had begun to write`];
    if (entry.epoch > execution.epoch)
      return [`attempt ${entry.epoch} wrote, but the last claim was number ${execution.epoch}`];
    highest = entry.epoch;
  }
  const settledAt = journal.findIndex((entry) => entry.kind === 'execution_settled');
  if (settledAt < 0 || settledAt === journal.length - 1) return [];
  return [`"${journal.at(-1)?.kind ?? ''}" was written after its ending`];
}

/**
 * I17: every call of the model has an audit row, and a settled call has its ending there. No audit row of an ended execution
 * says that a call still runs.
 */
export function checkAudit(world: ChaosWorld): Violation[] {
  const settled = new Set(
    world.database.executions.filter((row) => SETTLED.has(row.status)).map((row) => row.id),
  );
  const running = world.database.runSteps
    .filter((step) => step.status === 'started' && settled.has(step.executionId))
    .map((step) => ({
      invariant: 'I17',
      subject: callKeyOf(step),
      detail: 'its execution has ended, but its audit says that it runs',
    }));
  return [...missingAudits(world), ...running];
}

function missingAudits(world: ChaosWorld): Violation[] {
  const steps = new Map(world.database.runSteps.map((step) => [callKeyOf(step), step]));
  const ended = new Set(
    world.database.executions.filter((row) => row.status === 'completed').map((row) => row.id),
  );
  return world.database.journal
    .filter((entry) => entry.kind === 'model_call_completed' && ended.has(entry.executionId))
    .flatMap((entry) =>
      Array.from({ length: entry.calls }, (_, position): Violation[] => {
        const subject = callKeyOf({ ...entry, position });
        const step = steps.get(subject);
        if (step && step.status !== 'started' && step.hasOutput) return [];
        const detail = step ? `its audit row is ${step.status}, without an outcome` : 'has no audit row';
        return [{ invariant: 'I17', subject, detail }];
      }).flat(),
    );
}

/** I10: a model never sees a call without its one output, and a completed execution has an outcome for each call. */
export function checkCallsHaveOutputs(world: ChaosWorld): Violation[] {
  const asked = world.modelRequests.flatMap((request): Violation[] => {
    const subject = request.key ?? 'a request without a key';
    if (request.brokenPairs.length > 0)
      return [
        { invariant: 'I10', subject, detail: `calls without one output: ${request.brokenPairs.join()}` },
      ];
    if (request.status === 400)
      return [{ invariant: 'I10', subject, detail: 'the model refused the conversation' }];
    return [];
  });
  const completed = new Set(
    world.database.executions.filter((row) => row.status === 'completed').map((row) => row.id),
  );
  const journals = groupBy(
    world.database.journal.filter((entry) => completed.has(entry.executionId)),
    (entry) => entry.executionId,
  );
  const stored = [...journals].flatMap(([subject, journal]): Violation[] => {
    const calls = journal.reduce((sum, entry) => sum + entry.calls, 0);
    const outcomes = journal.filter((entry) => entry.kind === 'tool_call_settled');
    const distinct = new Set(outcomes.map(callKeyOf)).size;
    if (outcomes.length === calls && distinct === calls) return [];
    return [
      {
        invariant: 'I10',
        subject,
        detail: `${calls} calls, ${outcomes.length} outcomes of ${distinct} calls in its journal`,
      },
    ];
  });
  return [...asked, ...stored];
}

/** I16: every answer in the journal is billed once, with the tokens that the provider counted. */
export function checkUsage(world: ChaosWorld): Violation[] {
  const provider = new Map(world.modelRequests.map((request) => [request.responseId, request.totalTokens]));
  const answered = world.database.usage.filter((row) => row.responseId !== null);
  const byResponse = groupBy(answered, (row) => row.responseId ?? '');
  const byExecution = groupBy(world.database.usage, (row) => row.executionId);
  const violations: Violation[] = [];
  const broken = (subject: string, detail: string) => violations.push({ invariant: 'I16', subject, detail });
  for (const [responseId, rows] of byResponse) {
    if (rows.length > 1) broken(responseId, `was counted ${rows.length} times`);
    const reported = provider.get(responseId);
    if (reported === undefined) broken(responseId, 'was counted, but the provider never sent it');
    else if (rows[0]?.totalTokens !== reported)
      broken(
        responseId,
        `counts ${rows[0]?.totalTokens ?? 'no'} tokens, the provider said ${reported ?? 'none'}`,
      );
  }
  for (const execution of world.database.executions) {
    if (!SETTLED.has(execution.status) || execution.totalTokens === null) continue;
    const sum = (byExecution.get(execution.id) ?? []).reduce(
      (total, row) => total + (row.totalTokens ?? 0),
      0,
    );
    if (sum !== execution.totalTokens)
      broken(execution.id, `says ${execution.totalTokens} tokens, its rounds sum to ${sum}`);
  }
  // Usage is stored with the ending.
  const settled = new Set(
    world.database.executions.filter((row) => SETTLED.has(row.status)).map((row) => row.id),
  );
  for (const entry of world.database.journal) {
    if (entry.kind !== 'model_call_completed' || entry.responseId === null) continue;
    if (!settled.has(entry.executionId)) continue;
    if (!byResponse.has(entry.responseId))
      broken(entry.executionId, `round ${entry.round ?? 0} was not counted`);
  }
  return violations;
}
