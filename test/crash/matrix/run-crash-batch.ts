import type { ExecutionView } from '#libs/payloads';
import { waitFor } from '../../support/services/wait-for.js';
import type { Failpoint } from '../programs/failpoints.js';
import { DRAINING } from '../programs/program-settings.js';
import type { CrashLane, Replaced } from '../services/crash-lane.js';
import type { Trap } from '../services/failpoint-board.js';
import { ExecutionPoints, type HeldConversation } from './execution-points.js';
import { collectEvidence, waitUntilDelivered } from './evidence/collect-evidence.js';
import { beginConversation, followUp, hasEndedJob, type Conversation } from './conversation.js';
import type { CrashBatch } from './crash-case.js';
import { expectedEnding } from './evidence/expected-ending.js';
import { unless } from './evidence/execution-violations.js';
import { findViolations } from './evidence/find-violations.js';
import { collectLeftBehind, findLeftBehind, findOutlivers, processesOf } from './evidence/left-behind.js';

/** Kills or freezes one process with all executions of the batch at their failpoints; returns the violations. */
export async function runCrashBatch(lane: CrashLane, batch: CrashBatch): Promise<string[]> {
  const places = new ExecutionPoints();
  const isAlone = batch.points.length === 1;
  if (batch.points.some((point) => point.startsWith('hand.'))) await meetWorker(lane);
  const traps = batch.points.map((point) =>
    lane.board.arm(point, async (id) =>
      isAlone || (await places.pointOf(id)) === point ? visitOf(point) : null,
    ),
  );
  try {
    const conversations = batch.points.flatMap((point) =>
      batch.effects.map((effect) => ({ point, ...beginConversation(lane, effect, batch.place) })),
    );
    places.place(conversations);
    const keys = conversations.map(({ key }) => key);
    const followUpAll = () => Promise.all(conversations.map((begun) => followUp(lane, begun)));
    if (batch.points.includes('drain.after_give_back')) await drainInsideTool(lane, conversations.length);
    const pids = await catchAll(traps, batch.effects.length);
    // A worker that takes the executions over starts other processes under the same keys.
    const started = processesOf(keys);
    const victims = await lane.freezeAndReplace(pids);
    const isOpen = batch.points.every(isConversationOpen);
    const early = isOpen ? await followUpAll() : [];
    await breakAll(victims, batch.action);
    const outlived = batch.action === 'kill' ? await findOutlivers(keys, started) : [];
    // A tool server that holds a call of a dead worker goes on, and its answer is not read.
    if (batch.action === 'kill' && batch.place !== 'worker') releaseAll(traps);
    const seconds = isOpen ? early : await followUpAll();
    await settleAll(lane, conversations, seconds);
    if (batch.action === 'stop') await thawAll(lane, victims, traps);
    return [...missed(batch, started), ...outlived, ...(await evaluate(lane, batch, conversations, seconds))];
  } finally {
    for (const trap of traps) lane.board.disarm(trap);
  }
}

/** Has the API know the worker and its slots: its first execution goes through the queue. */
async function meetWorker(lane: CrashLane): Promise<void> {
  const { id } = await beginConversation(lane, 'read').first;
  await waitUntilDelivered(lane, [id]);
}

/** Waits until `count` executions are held at each trap. Returns the processes that hold them. */
async function catchAll(traps: readonly Trap[], count: number): Promise<ReadonlySet<number>> {
  const pids = await Promise.all(traps.map((trap) => trap.catch(count)));
  return new Set(pids.flatMap((some) => [...some]));
}

function releaseAll(traps: readonly Trap[]): void {
  for (const trap of traps) trap.release();
}

/** False at points where the next turn has to wait: before the client has its answer, and while the end is committed. */
function isConversationOpen(point: Failpoint): boolean {
  return !/^(?:accept|hand)\./.test(point) && point !== 'settle.before_commit';
}

/** The visit to hold: the model is called twice, and the second call follows the tool's outcome. */
function visitOf(point: Failpoint): number {
  return point === 'model.before_call' || point === 'model.mid_stream' ? 2 : 1;
}

/** Asks the worker to stop while its tools run, so that it releases at the next boundary. */
async function drainInsideTool(lane: CrashLane, count: number): Promise<void> {
  const trap = lane.board.arm('tool.during_call');
  const { worker } = lane;
  await trap.catch(count);
  void worker.stop();
  await waitFor(() => worker.log.includes(DRAINING), { description: 'the worker to drain' });
  lane.board.disarm(trap);
}

export async function breakAll(victims: readonly Replaced[], action: CrashBatch['action']): Promise<void> {
  for (const victim of victims) {
    if (action === 'kill') await victim.process.kill();
    else victim.process.freeze();
    victim.giveUp();
  }
}

async function settleAll(
  lane: CrashLane,
  conversations: readonly Conversation[],
  seconds: readonly ExecutionView[],
): Promise<void> {
  const firsts = await Promise.all(conversations.map(({ first }) => first));
  await waitUntilDelivered(
    lane,
    [...firsts, ...seconds].map(({ id }) => id),
  );
}

/** Thaws the frozen processes, which go on where they were, notice that they were overtaken, and end in order. */
export async function thawAll(
  lane: CrashLane,
  victims: readonly Replaced[],
  traps: readonly Trap[],
): Promise<void> {
  for (const { process } of victims) process.thaw();
  releaseAll(traps);
  const arrivals = traps.flatMap((trap) => trap.arrivals);
  for (const { kind, process } of victims) {
    const jobs = arrivals.filter((held) => held.pid === process.pid && isInAttempt(held.point));
    const hasEndedAll = (): boolean =>
      jobs.every((held) => hasEndedJob(lane, process.pid, held.executionId, held));
    await waitFor(() => process.hasEnded || hasEndedAll(), {
      description: `${kind} ${process.pid} to be through with what it ran. It wrote: ${process.log}`,
    });
    const code = await process.stop();
    // A process that was asked to stop, then frozen beyond its grace period, ends itself in the middle of its work.
    const mayBeLate = traps.some(({ point }) => point === 'drain.after_give_back');
    if (code !== 0 && !mayBeLate)
      throw new Error(`${kind} ended with ${code} after it was thawed:\n${process.log}`);
  }
}

/** Whether an attempt stands at the point. Before a claim there is none, and a claim that comes too late begins none. */
function isInAttempt(point: Failpoint): boolean {
  return !/^(?:accept|dispatch|hand|webhook)\.|^claim\.before$/.test(point);
}

/** A violation if the processes that must have run were not seen, as their end would then prove nothing. */
function missed({ place, points, effects }: CrashBatch, started: readonly number[]): string[] {
  const mustRun =
    place === 'stdio' && points.some((point) => point.startsWith('server.') || point === 'tool.during_call');
  // Each call has a server, its guardian and the server's child.
  return unless(!mustRun || started.length >= 2 * effects.length, `${started.length} processes were seen`);
}

async function evaluate(
  lane: CrashLane,
  { action }: CrashBatch,
  conversations: readonly HeldConversation[],
  seconds: readonly ExecutionView[],
): Promise<string[]> {
  const found = await Promise.all(
    conversations.map(async ({ key, point, effect, first }, index) => {
      const ids = [(await first).id, seconds[index]?.id ?? ''] as const;
      const evidence = await collectEvidence(lane, key, ...ids);
      const left = await collectLeftBehind(lane, key, ids);
      const violations = [
        ...findViolations(evidence, expectedEnding({ point, action, effect })),
        ...findLeftBehind(left, action),
      ];
      return violations.map((violation) => `${point}, ${effect}: ${violation}`);
    }),
  );
  return found.flat();
}
