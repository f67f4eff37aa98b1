import { expect } from '@jest/globals';
import fc, { type AsyncCommand } from 'fast-check';
import type { ClaimOptions } from '#libs/executions';
import { findMissingWorkers, releaseDeadWorkers } from '#libs/persistence';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS } from '../persistence-world.js';
import type { LineAttempt } from './line-attempt.js';
import {
  isUnsettled,
  SUSPECT_AFTER_LOSSES,
  type LineModel,
  type ModelClaim,
  type ModelTurn,
} from './line-model.js';
import type { LineWorld } from './line-world.js';

type Command = AsyncCommand<LineModel, LineWorld>;

/** Runs one step on the model and the stores, and compares both afterwards. */
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

const always = (): boolean => true;
const pick = <T>(all: readonly T[], nth: number): T => {
  const chosen = all.at(nth % all.length);
  if (chosen === undefined) throw new Error('there is nothing to choose from');
  return chosen;
};

/** Chooses a turn from `from` in three of four cases, otherwise from all turns. */
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

/** Chooses an attempt that is not over, by age with the latest first, because a late claim is most often valid. */
function onClaim(
  name: string,
  run: (known: ModelClaim, attempt: LineAttempt, model: LineModel, line: LineWorld) => Promise<void>,
  isFor: (known: ModelClaim) => boolean = () => true,
): fc.Arbitrary<Command> {
  const live = ({ claims }: LineModel) => claims.filter((known) => !known.isOver && isFor(known));
  return fc.nat(3).map((age) =>
    command(
      `${name}(${age} ago)`,
      (model) => live(model).length > 0,
      async (model, line) => {
        const known = pick(live(model), live(model).length - 1 - (age % live(model).length));
        const attempt = pick(line.attempts, model.claims.indexOf(known));
        await run(known, attempt, model, line);
        expect(attempt.isOver).toBe(known.isOver);
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
    const sent = await line.dispatch(again ? 0 : DISPATCH_OPTIONS.redispatchAfterMs);
    expect([...sent].sort()).toEqual(due.sort());
  }),
);

interface Delivery extends Pick<ClaimOptions, 'workerId' | 'canIsolate' | 'maxIsolatedDeaths'> {
  /** Number of workers that get a job of the execution at the same time (1–3). */
  readonly racers: number;
}

/** Delivers the job to `racers` workers, and expects at most one of them to get the claim. */
async function deliver(
  { turn, id, model, line }: { turn: ModelTurn; id: string; model: LineModel; line: LineWorld },
  { racers, ...rules }: Delivery,
): Promise<void> {
  const isRunnable = model.isRunnable(turn);
  const options = { ...CLAIM_OPTIONS, ...rules, suspectAfterLosses: SUSPECT_AFTER_LOSSES };
  const attempts = await line.deliver(id, racers, options);
  const expected = isRunnable ? model.claim(turn, rules.workerId, rules) : 'not_runnable';
  const won = attempts.filter(({ result }) => result !== null && 'claim' in result);
  if (expected === 'claimed' || expected === 'poisoned') {
    expect(won).toHaveLength(1);
    const [winner] = won;
    if (!winner) return;
    expect(winner.result).toMatchObject({
      kind: expected,
      claim: { attempt: turn.attempt, epoch: turn.epoch },
    });
    const { isIsolated, isOver } = winner;
    expect({ isIsolated, isOver }).toEqual(stateOf(model.claims.at(-1)));
    line.attempts.push(winner);
  } else {
    expect(won).toEqual([]);
    // The first refusal postpones the execution, so the other workers find it not runnable.
    expect(attempts.map(({ result }) => result?.kind)).toContain(expected);
    if (expected === 'not_now') await line.world.endDelay(id);
  }
}

const aWorker = fc.constantFrom('worker-a', 'worker-b');
const someDeaths = fc.constantFrom(1, 2);

const claim = fc
  .tuple(fc.integer({ min: 1, max: 3 }), aWorker, fc.boolean(), someDeaths)
  .chain(([racers, workerId, canIsolate, maxIsolatedDeaths]) =>
    onTurn(
      `claim by ${racers} as ${workerId}${canIsolate ? '' : ' without isolation'}, poisoned by ${maxIsolatedDeaths}`,
      runnable,
      (turn, id, model, line) =>
        deliver({ turn, id, model, line }, { racers, workerId, canIsolate, maxIsolatedDeaths }),
    ),
  );

/** Expected state of an attempt that has just begun. */
function stateOf(known: ModelClaim | undefined): object | undefined {
  return known && { isIsolated: known.isIsolated, isOver: known.isOver };
}

/** Extends a valid lease; an attempt that learns of its lost lease gives up. */
const renew = onClaim('renew', async (known, attempt, model) => {
  await attempt.renew();
  if (model.holds(known)) known.turn.isLeaseOver = false;
  else known.isOver = true;
});

/** An attempt that learns of the cancellation stops, and settles the execution if its claim is still valid. */
const learnOfCancellation = onClaim('learnOfCancellation', async (known, attempt, model) => {
  const { turn } = known;
  await attempt.learnOfCancellations();
  if (turn.status !== 'running' || !turn.isCancelRequested) return;
  known.isOver = true;
  if (model.holds(known)) model.end(turn, 'cancelled');
});

const append = onClaim('append', async (known, attempt, model) => {
  await attempt.callTool();
  if (model.holds(known)) known.turn.hasProgressed = true;
  else known.isOver = true;
});

const settle = onClaim('settle', async (known, attempt, model) => {
  await attempt.answer();
  known.isOver = true;
  if (model.holds(known)) model.end(known.turn, 'completed');
});

const stop = onClaim('stop', async (known, attempt, model) => {
  await attempt.stop();
  known.isOver = true;
  if (!model.holds(known)) return;
  known.turn.hasUnbegunCall = true;
  model.release(known.turn);
});

/** Delays the execution, unless another attempt holds the claim by now. */
async function loseWhatItNeeds(
  known: ModelClaim,
  attempt: LineAttempt,
  model: LineModel,
  line: LineWorld,
): Promise<void> {
  const isHeld = model.holds(known);
  await attempt.failByOutage();
  known.isOver = true;
  if (!isHeld) return;
  await line.expectDelay(line.idOf(model, known.turn));
  model.release(known.turn);
}

const failByOutage = onClaim('failByOutage', loseWhatItNeeds);

/** Fails an attempt that does not know of its takeover: random single steps rarely reach this state. */
const failAfterTakeover = onClaim('failAfterTakeover', async (known, attempt, model, line) => {
  const { turn } = known;
  const id = line.idOf(model, turn);
  if (model.holds(known)) {
    await line.world.expireLease(id);
    turn.isLeaseOver = true;
    const rules = { racers: 1, workerId: 'worker-b', canIsolate: true, maxIsolatedDeaths: 2 };
    await deliver({ turn, id, model, line }, rules);
  }
  await loseWhatItNeeds(known, attempt, model, line);
});

/** Requeues the execution, or ends it as poisoned. */
async function die(
  known: ModelClaim,
  attempt: LineAttempt,
  model: LineModel,
  line: LineWorld,
): Promise<void> {
  const isHeld = model.holds(known);
  await attempt.die();
  known.isOver = true;
  if (!isHeld) return;
  model.dieInIsolation(known.turn, attempt.options.maxIsolatedDeaths);
  if (known.turn.status === 'queued') await line.expectDelay(line.idOf(model, known.turn));
}

const dieInIsolation = onClaim('dieInIsolation', die, ({ isIsolated }) => isIsolated);

/** Loses the lease, then dies in isolation, in one command: random single steps rarely reach this state. */
const dieAfterLoss = fc.tuple(aWorker, someDeaths).chain(([workerId, maxIsolatedDeaths]) =>
  onTurn(
    `dieAfterLoss as ${workerId}, poisoned by ${maxIsolatedDeaths}`,
    running,
    async (turn, id, model, line) => {
      if (turn.status !== 'running') return;
      await line.world.expireLease(id);
      turn.isLeaseOver = true;
      await deliver({ turn, id, model, line }, { racers: 1, workerId, canIsolate: true, maxIsolatedDeaths });
      const [known, attempt] = [model.claims.at(-1), line.attempts.at(-1)];
      if (known?.isIsolated && !known.isOver && attempt) await die(known, attempt, model, line);
    },
  ),
);

const leaseRunsOut = onTurn('leaseRunsOut', running, async (turn, id, _model, line) => {
  if (turn.status !== 'running') return;
  await line.world.expireLease(id);
  turn.isLeaseOver = true;
});

/** Inserts a worker's row without its advisory lock, as a dead process leaves it. */
const workerDies = aWorker.map((worker) =>
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
  if (isUnsettled(turn)) model.cancel(turn);
  expect(await line.cancel(id)).toBe(turn.status);
});

const tamper = onTurn('tamper', ended, async (turn, id, _model, line) => {
  if (isUnsettled(turn)) return;
  await expect(
    line.world.dataSource.query(`UPDATE execution SET status = 'queued' WHERE id = $1`, [id]),
  ).rejects.toThrow(/is settled/);
});

/** All operations of the service on the line of a session, and all faults. */
export const lineCommands = fc.commands(
  [
    ...[accept, accept, dispatch, claim, claim, claim, settle, renew, append],
    ...[stop, failByOutage, failAfterTakeover, dieInIsolation, dieAfterLoss, learnOfCancellation],
    ...[leaseRunsOut, leaseRunsOut, workerDies, cancel, tamper],
  ],
  { maxCommands: 30, size: 'max' },
);
