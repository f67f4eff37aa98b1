import { expect } from '@jest/globals';
import fc, { type AsyncCommand } from 'fast-check';
import { LeaseLostError } from '#libs/agent-core';
import type { Claim, ClaimResult } from '#libs/executions';
import { findMissingWorkers, releaseDeadWorkers } from '#libs/persistence';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS } from '../persistence-world.js';
import {
  isUnsettled,
  MAX_ISOLATED_DEATHS,
  SUSPECT_AFTER_LOSSES,
  type LineModel,
  type ModelClaim,
  type ModelTurn,
} from './line-model.js';
import type { LineWorld } from './line-world.js';

type Command = AsyncCommand<LineModel, LineWorld>;

/** Does one thing to model and stores, and compares them afterwards. */
function command(
  name: string,
  check: (model: LineModel) => boolean,
  run: (model: LineModel, line: LineWorld) => Promise<void>,
): Command {
  return {
    check,
    run: async (model, line) => {
      await run(model, line);
      await line.expectLike(model);
    },
    toString: () => name,
  };
}

const LIMITS = { suspectAfterLosses: SUSPECT_AFTER_LOSSES, maxIsolatedDeaths: MAX_ISOLATED_DEATHS };
const always = (): boolean => true;
const pick = <T>(all: readonly T[], nth: number): T => {
  const chosen = all.at(nth % all.length);
  if (chosen === undefined) throw new Error('there is nothing to choose from');
  return chosen;
};

/** Mostly of the turns that `from` says, sometimes of all of them. */
function onTurn(
  name: string,
  from: (model: LineModel) => readonly ModelTurn[],
  run: (turn: ModelTurn, id: string, model: LineModel, line: LineWorld) => Promise<void>,
): fc.Arbitrary<Command> {
  const isAny = fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  );
  return fc.tuple(fc.nat(5), isAny).map(([nth, any]) => {
    const choose = any ? (model: LineModel) => model.turns : from;
    return command(
      `${name}(${nth}${any ? ' of all' : ''})`,
      (model) => choose(model).length > 0,
      (model, line) => {
        const turn = pick(choose(model), nth);
        return run(turn, line.idOf(model, turn), model, line);
      },
    );
  });
}

const unsettled = (model: LineModel): readonly ModelTurn[] => model.unsettled;
const runnable = (model: LineModel): readonly ModelTurn[] =>
  model.turns.filter((turn) => model.isRunnable(turn));
const running = (model: LineModel): readonly ModelTurn[] =>
  model.turns.filter((turn) => turn.status === 'running');
const ended = (model: LineModel): readonly ModelTurn[] => model.turns.filter((turn) => !isUnsettled(turn));

/** With the latest claims first, for those are most often good. */
function onClaim(
  name: string,
  run: (known: ModelClaim, claim: Claim, model: LineModel, line: LineWorld) => Promise<void>,
): fc.Arbitrary<Command> {
  return fc.nat(3).map((age) =>
    command(
      `${name}(${age} ago)`,
      (model) => model.claims.length > 0,
      (model, line) => {
        const index = model.claims.length - 1 - (age % model.claims.length);
        return run(pick(model.claims, index), pick(line.held, index), model, line);
      },
    ),
  );
}

const accept = fc.nat(1).map((session) =>
  command(`accept(${session})`, always, async (model, line) => {
    const { turnNumber } = model.accept(session);
    expect(await line.accept(session)).toBe(turnNumber);
  }),
);

const dispatch = fc.boolean().map((again) =>
  command(`dispatch(${again ? 'lost jobs too' : 'due'})`, always, async (model, line) => {
    const due = model.dispatch(again).map((turn) => line.idOf(model, turn));
    const sent = await line.world.dispatches.take({
      ...DISPATCH_OPTIONS,
      ...(again && { redispatchAfterMs: 0 }),
    });
    expect(sent.map((execution) => execution.executionId).sort()).toEqual(due.sort());
  }),
);

/** One of those who ask at once may get it. */
const claim = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('worker-a', 'worker-b'), fc.boolean())
  .chain(([racers, workerId, canIsolate]) =>
    onTurn(
      `claim by ${racers} as ${workerId}${canIsolate ? '' : ' without isolation'}`,
      runnable,
      async (turn, id, model, line) => {
        const isRunnable = model.isRunnable(turn);
        const options = { ...CLAIM_OPTIONS, ...LIMITS, workerId, canIsolate };
        const answers = await Promise.all(
          Array.from({ length: racers }, () => line.claims.claim(id, options)),
        );
        const won = answers.filter(hasClaim);
        const expected = isRunnable ? model.claim(turn, workerId, canIsolate) : 'not_runnable';
        if (expected === 'claimed' || expected === 'poisoned') {
          expect(won).toHaveLength(1);
          const [winner] = won;
          if (!winner) return;
          expect(winner.kind).toBe(expected);
          expect(winner.claim).toMatchObject({ attempt: turn.attempt, epoch: turn.epoch });
          expect(winner.claim.isSuspect).toBe(
            expected === 'claimed' && turn.lostAttempts >= SUSPECT_AFTER_LOSSES && !turn.isCancelRequested,
          );
          line.held.push(winner.claim);
        } else {
          expect(won).toEqual([]);
          // The first to be refused postpones it; nothing is left for the others to ask for.
          expect(answers.map(({ kind }) => kind)).toContain(expected);
          if (expected === 'not_now') await line.wait(id);
        }
      },
    ),
  );

function hasClaim(answer: ClaimResult): answer is Extract<ClaimResult, { claim: Claim }> {
  return 'claim' in answer;
}

const renew = onClaim('renew', async (known, held, model, line) => {
  const kept = await line.claims.renew([held], CLAIM_OPTIONS.leaseMs);
  expect(kept.has(held.token)).toBe(model.holds(known));
  if (model.holds(known)) known.turn.isLeaseOver = false;
});

const append = onClaim('append', async (known, held, model, line) => {
  if (model.holds(known)) {
    await line.append(held);
    known.turn.hasProgressed = true;
  } else await expect(line.append(held)).rejects.toThrow(LeaseLostError);
});

const settle = onClaim('settle', async (known, held, model, line) => {
  if (!model.holds(known)) return expect(line.settle(held)).rejects.toThrow(LeaseLostError);
  await line.settle(held);
  model.end(known.turn, 'completed');
});

const release = onClaim('release', async (known, held, model, line) => {
  const isHeld = model.holds(known);
  expect(await line.claims.release(held)).toBe(isHeld);
  if (isHeld) model.release(known.turn);
});

const requeueWithBackoff = onClaim('requeueWithBackoff', async (known, held, model, line) => {
  const isHeld = model.holds(known);
  expect(await line.claims.requeueWithBackoff(held)).toBe(isHeld);
  if (!isHeld) return;
  await line.expectDelay(held.executionId);
  model.release(known.turn);
});

/** Back into the line, or to be ended at once: whoever takes it up next ends it. */
const dieInIsolation = (maxDeaths: number) =>
  onClaim(`dieInIsolation(of ${maxDeaths})`, async (known, held, model, line) => {
    const answer = await line.claims.recordIsolatedDeath(held, maxDeaths);
    expect(answer).toBe(model.holds(known) ? model.dieInIsolation(known.turn, maxDeaths) : null);
    if (answer === 'requeued') await line.expectDelay(held.executionId);
  });

const leaseRunsOut = onTurn('leaseRunsOut', running, async (turn, id, _model, line) => {
  if (turn.status !== 'running') return;
  await line.world.expireLease(id);
  turn.isLeaseOver = true;
});

/** Its row is there and its lock is not. */
const workerDies = fc.constantFrom('worker-a', 'worker-b').map((worker) =>
  command(`dies(${worker})`, always, async (model, line) => {
    const { dataSource } = line.world;
    await dataSource.query('INSERT INTO worker (id) VALUES ($1)', [worker]);
    expect(await releaseDeadWorkers(dataSource, await findMissingWorkers(dataSource))).toBe(1);
    model.forgetSent();
    const left = model.turns.filter((turn) => turn.worker === worker);
    for (const turn of left) {
      turn.isLeaseOver = true;
      await line.world.expireLease(line.idOf(model, turn));
    }
  }),
);

const cancel = onTurn('cancel', unsettled, async (turn, id, model, line) => {
  const { kind } = await line.cancellations.request('default', id);
  if (!isUnsettled(turn)) expect(kind).toBe('settled_before');
  else if (turn.status === 'queued' && turn.attempt === 0) {
    expect(kind).toBe('cancelled');
    model.end(turn, 'cancelled');
  } else {
    expect(kind).toBe('requested');
    turn.isCancelRequested = true;
    // Sent again, to be ended at once.
    if (turn.status === 'queued') turn.isDispatched = false;
  }
});

const tamper = onTurn('tamper', ended, async (turn, id, _model, line) => {
  if (isUnsettled(turn)) return;
  await expect(
    line.world.dataSource.query(`UPDATE execution SET status = 'queued' WHERE id = $1`, [id]),
  ).rejects.toThrow(/is settled/);
});

/** Everything that the service does to a conversation's line, and what happens to it. */
export const lineCommands = fc.commands(
  [
    ...[accept, accept, dispatch, claim, claim, claim, settle, renew, append],
    ...[
      release,
      requeueWithBackoff,
      dieInIsolation(9),
      dieInIsolation(MAX_ISOLATED_DEATHS),
      leaseRunsOut,
      leaseRunsOut,
      workerDies,
      cancel,
      tamper,
    ],
  ],
  { maxCommands: 30, size: 'max' },
);
