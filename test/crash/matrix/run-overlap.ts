import { waitFor } from '../../support/services/wait-for.js';
import type { Arrival, Failpoint } from '../programs/failpoints.js';
import type { CrashLane } from '../services/crash-lane.js';
import { collectEvidence, waitUntilDelivered } from './evidence/collect-evidence.js';
import { beginConversation, followUp, hasEndedJob } from './conversation.js';
import { expectedEnding } from './evidence/expected-ending.js';
import { findViolations } from './evidence/find-violations.js';

/**
 * Runs two attempts of one execution at once, both with the answer to the same call: the first was frozen and overtaken, and
 * goes on while the second one works. Returns the violations.
 */
export async function runOverlap(lane: CrashLane): Promise<string[]> {
  const point = 'tool.after_effect_before_commit';
  const overtaken = lane.board.arm(point);
  const conversation = beginConversation(lane, 'read');
  const pids = await overtaken.catch(1);
  const started = overtaken.arrivals[0];
  // The start of a call that only reads is written beside the call: frozen before that commit, the first attempt would have
  // nothing to settle.
  await waitFor(() => hasVisited(lane, 'journal.after_commit', started), {
    description: 'the first attempt to have written that it started the call',
  });
  const successor = lane.board.arm(point);
  const [victim] = await lane.freezeAndReplace(pids);
  if (!victim) throw new Error('no process holds the execution');
  const { id } = await conversation.first;
  await successor.catch(1);

  const nextCall = lane.board.arm('model.before_call');
  victim.process.thaw();
  overtaken.release();
  await waitFor(() => isThroughWithTool(lane, victim.process.pid, id), {
    description: 'the overtaken attempt to give up, or to go on where it must not',
  });
  successor.release();
  const second = await followUp(lane, conversation);
  await waitFor(() => isThroughWithTool(lane, lane.worker.pid, id), {
    description: 'the second attempt to have written what the tool answered, or to have given up',
  });
  for (const trap of [overtaken, successor, nextCall]) lane.board.disarm(trap);
  await waitUntilDelivered(lane, [id, second.id]);
  await waitFor(() => hasEndedJob(lane, victim.process.pid, id), { description: 'the first attempt to end' });
  await victim.process.stop();

  const evidence = await collectEvidence(lane, conversation.key, id, second.id);
  return findViolations(evidence, expectedEnding({ point, action: 'stop', effect: 'read' }));
}

function hasVisited(lane: CrashLane, point: Failpoint, by: Arrival | undefined): boolean {
  return lane.board.visitors.some(
    (visitor) => visitor.point === point && visitor.pid === by?.pid && visitor.executionId === by.executionId,
  );
}

function isThroughWithTool(lane: CrashLane, pid: number, executionId: string): boolean {
  return lane.board.visitors.some(
    (visitor) =>
      visitor.pid === pid &&
      visitor.executionId === executionId &&
      (visitor.point === 'tool.after_commit' || visitor.point === 'attempt.after_end'),
  );
}
