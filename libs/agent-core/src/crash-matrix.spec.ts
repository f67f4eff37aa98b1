import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { WorkerDied } from '../../../test/support/fakes/in-memory-journal.js';
import { LoopWorld, rulesOf } from '../../../test/support/fakes/loop-world.js';
import { ScriptedModel } from '../../../test/support/fakes/scripted-model.js';
import type { OnUnknown } from '#libs/tooling';
import { EMPTY_STATE, foldEntries } from './execution-state.js';
import type { OutcomeReport } from './journal-entry.js';
import type { ModelRequest } from './ports/model.js';
import { runAgentLoop, type LoopResult } from './run-agent-loop.js';

const SCRIPT = [
  aModelAnswer({ toolCalls: [aCall('search', 'c1'), aCall('charge', 'c2'), aCall('upsert', 'c3')] }),
  aModelAnswer({ toolCalls: [aCall('forbidden', 'c4'), aCall('charge', 'c5')] }),
  aModelAnswer({ text: 'all done' }),
];
/** Reads, which begin before their intent is durable, followed by an unsafe call and an idempotent one. */
const READS = [
  aModelAnswer({ toolCalls: [aCall('search', 'c1')] }),
  aModelAnswer({ toolCalls: [aCall('search', 'c2'), aCall('charge', 'c3')] }),
  aModelAnswer({ toolCalls: [aCall('search', 'c4')] }),
  aModelAnswer({ text: 'all done' }),
];
const SAFE = ['1.0', '1.2'];
const UNSAFE = ['1.1', '2.1'];

/** Every model request has a usage row, and every answer that counts has one with its tokens. */
function expectEveryCallOnTheBill({ journal, model }: LoopWorld): void {
  const [settlement] = journal.settlements;
  const rows = settlement?.usage ?? [];
  const asked = (model as ScriptedModel).requests.map((request) => roundOf(request));
  for (const round of new Set(asked)) {
    const ofRound = rows.filter((row) => row.round === round);
    expect(ofRound.length).toBeGreaterThanOrEqual(asked.filter((each) => each === round).length);
    expect(ofRound.filter((row) => row.state === 'known').length).toBeLessThanOrEqual(1);
  }
  const answered = foldEntries(journal.entries).rounds.map((round) => round.number);
  expect(rows.filter((row) => row.state === 'known').map((row) => row.round)).toEqual(answered);
}

function roundOf({ messages }: ModelRequest): number {
  return messages.filter((message) => message.role === 'assistant').length + 1;
}

interface Circumstances {
  readonly onUnknown?: OnUnknown;
  readonly followsLostAttempt?: boolean;
}

async function run(
  world: LoopWorld,
  attempt: number,
  { onUnknown = 'halt', followsLostAttempt = attempt > 1 }: Circumstances = {},
): Promise<LoopResult | 'died'> {
  try {
    const context = anExecutionContext({ attempt, followsLostAttempt });
    return await runAgentLoop(context, rulesOf({}, onUnknown), world.ports, world.signals);
  } catch (error) {
    if (error instanceof WorkerDied) return 'died';
    throw error;
  }
}

async function commitsOfACalmRun(script = SCRIPT): Promise<number> {
  const world = new LoopWorld(new ScriptedModel(script));
  await run(world, 1);
  return world.journal.commits;
}

interface Death {
  readonly at: number;
  readonly when: 'before' | 'after';
  readonly isLate: boolean;
  /** Part of the test title. */
  readonly how: string;
}

/** A crash right before or after each commit, either at once or when no more work is possible without the commit. */
function deathsAt(commits: number): Death[] {
  return Array.from({ length: commits }, (_, index) => index + 1).flatMap((at) =>
    (['before', 'after'] as const).flatMap((when) => [
      { at, when, isLate: false, how: 'at once' },
      { at, when, isLate: true, how: 'while it goes on without it' },
    ]),
  );
}

describe('a worker dies, another carries on', () => {
  const commits = 6;

  it('covers every commit of the run', async () => expect(await commitsOfACalmRun()).toBe(commits));

  it.each(deathsAt(commits))('$when commit $at, $how', async ({ at, when, isLate }) => {
    const world = new LoopWorld(new ScriptedModel(SCRIPT));
    world.journal.dieAt(at, when, isLate);
    expect(await run(world, 1)).toBe('died');
    if (world.journal.revive()) await run(world, 2);

    expect(world.journal.settlements).toHaveLength(1);
    const { outcome } = foldEntries(world.journal.entries);
    const isUnknown = [...world.journal.steps.values()].some((step) => step.status === 'outcome_unknown');
    if (isUnknown)
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
    else expect(outcome).toEqual({ status: 'completed', text: 'all done' });

    expectEveryCallOnTheBill(world);
    for (const call of UNSAFE) expect(world.tools.runs.get(call) ?? 0).toBeLessThanOrEqual(1);
    if (!isUnknown)
      for (const call of [...SAFE, ...UNSAFE])
        expect(world.tools.runs.get(call) ?? 0).toBeGreaterThanOrEqual(1);
    expect(world.tools.runs.has('2.0')).toBe(false);

    const settled = world.journal.entries.flatMap((entry) =>
      entry.kind === 'tool_call_settled' ? [`${entry.round}.${entry.position}`] : [],
    );
    expect(new Set(settled).size).toBe(settled.length);
    const answered = world.journal.entries.flatMap((entry) =>
      entry.kind === 'model_call_completed' ? [entry.round] : [],
    );
    expect(answered).toEqual([...new Set(answered)]);
    const stepByStep = world.journal.entries.reduce(
      (state, entry) => foldEntries([entry], state),
      EMPTY_STATE,
    );
    expect(foldEntries(world.journal.entries)).toEqual(stepByStep);
  });
});

describe('a worker dies whose reads have begun before anything says so, another carries on', () => {
  const commits = 8;

  it('covers every commit of the run', async () => expect(await commitsOfACalmRun(READS)).toBe(commits));

  it.each(deathsAt(commits))('$when commit $at, $how', async ({ at, when, isLate }) => {
    const world = new LoopWorld(new ScriptedModel(READS));
    world.journal.dieAt(at, when, isLate);
    expect(await run(world, 1)).toBe('died');
    if (world.journal.revive()) await run(world, 2);

    expect(world.journal.settlements).toHaveLength(1);
    expectEveryCallOnTheBill(world);
    expect(world.tools.runs.get('2.1') ?? 0).toBeLessThanOrEqual(1);
    const isUnknown = world.journal.steps.get('2.1')?.status === 'outcome_unknown';
    const { outcome } = foldEntries(world.journal.entries);
    if (isUnknown) expect(outcome).toMatchObject({ error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
    else expect(outcome).toEqual({ status: 'completed', text: 'all done' });
    const settled = settledCalls(world);
    expect(settled).toEqual([...new Set(settled)]);
    for (const call of isUnknown ? [] : ['1.0', '2.0', '3.0'])
      expect(world.tools.runs.get(call) ?? 0).toBeGreaterThanOrEqual(1);
  });
});

type Person = (hasRun: boolean) => OutcomeReport;
const HONEST: Person = (hasRun) => (hasRun ? { kind: 'happened', output: null } : { kind: 'did_not_happen' });
const IGNORANT: Person = () => ({ kind: 'unknown' });

/** Runs attempts, and answers what they ask, until the execution has settled; at most 10 attempts. */
async function liveToTheEnd(world: LoopWorld, onUnknown: OnUnknown, person: Person): Promise<LoopResult> {
  let followsLostAttempt = false;
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const result = await run(world, attempt, { onUnknown, followsLostAttempt });
    followsLostAttempt = result === 'died' && world.journal.revive();
    const { outcome } = foldEntries(world.journal.entries);
    if (outcome) return { kind: 'settled', outcome, view: world.journal.execution.view(), passages: [] };
    // Parked calls are read from the journal only: the worker may have died right after it parked them.
    if (world.journal.isParked) answerAll(world, person);
  }
  throw new Error('it does not come to an end');
}

function answerAll({ journal, tools }: LoopWorld, person: Person): void {
  for (const { call, asks } of journal.parked.at(-1) ?? []) {
    if (asks !== 'outcome') throw new Error(`${call} asks for ${asks}`);
    const [round = 0, position = 0] = call.split('.').map(Number);
    const report = person(tools.runs.has(call));
    journal.decide({ kind: 'outcome_reported', round, position, report, reason: '' });
  }
}

function settledCalls({ journal }: LoopWorld): string[] {
  return journal.entries.flatMap((entry) =>
    entry.kind === 'tool_call_settled' ? [`${entry.round}.${entry.position}`] : [],
  );
}

const MOMENTS = deathsAt(8);
/** Every pair of crashes: the second one hits the recovery from the first, or a person's decision. */
const TWO_DEATHS = MOMENTS.flatMap((first) => MOMENTS.map((second) => [first, second] as const));

async function dyingTwice(
  onUnknown: OnUnknown,
  person: Person,
  check: (world: LoopWorld, result: LoopResult) => void,
): Promise<number> {
  let asked = 0;
  for (const [first, second] of TWO_DEATHS) {
    const world = new LoopWorld(new ScriptedModel(SCRIPT));
    world.journal.dieAt(first.at, first.when, first.isLate).thenAt(second.at, second.when, second.isLate);
    check(world, await liveToTheEnd(world, onUnknown, person));
    expectEveryCallOnTheBill(world);
    const settled = settledCalls(world);
    expect(new Set(settled).size).toBe(settled.length);
    asked += world.journal.parked.length;
  }
  return asked;
}

const ALL_DONE = { kind: 'settled', outcome: { status: 'completed', text: 'all done' } };

describe('two workers die one after the other, at any two commits', () => {
  it('a person who knows makes every side effect happen exactly once', async () => {
    const asked = await dyingTwice('ask', HONEST, (world, result) => {
      expect(result).toMatchObject(ALL_DONE);
      for (const call of UNSAFE) expect(world.tools.runs.get(call)).toBe(1);
      for (const call of SAFE) expect(world.tools.runs.get(call)).toBeGreaterThanOrEqual(1);
    });
    expect(asked).toBeGreaterThan(0);
  });

  it('a person who does not know either ends it visibly, and nothing happens twice', async () => {
    await dyingTwice('ask', IGNORANT, (world, result) => {
      if (world.journal.parked.length === 0) expect(result).toMatchObject(ALL_DONE);
      else expect(result).toMatchObject({ outcome: { error: { code: 'TOOL_OUTCOME_UNKNOWN' } } });
      for (const call of UNSAFE) expect(world.tools.runs.get(call) ?? 0).toBeLessThanOrEqual(1);
    });
  });

  it('a model that is informed goes on to the end, and an equal call is not run again', async () => {
    const asked = await dyingTwice('inform', HONEST, (world, result) => {
      expect(result).toMatchObject(ALL_DONE);
      for (const call of UNSAFE) expect(world.tools.runs.get(call) ?? 0).toBeLessThanOrEqual(1);
      const { steps } = world.journal;
      if (steps.get('1.1')?.status === 'outcome_unknown') expect(steps.get('2.1')?.status).toBe('refused');
      else expect(steps.get('2.1')?.status).toMatch(/succeeded|outcome_unknown/);
    });
    expect(asked).toBe(0);
  });
});
