import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { chosen } from '../../support/selection.js';
import { waitFor } from '../../support/services/wait-for.js';
import type { CrashLane } from '../services/crash-lane.js';
import type { Failpoint } from '../programs/failpoints.js';
import { readModelRequests, waitUntilDelivered } from '../matrix/evidence/collect-evidence.js';
import { breakAll } from '../matrix/run-crash-batch.js';
import { EngineLane } from './engine-lane.js';
import {
  beginEngineRun,
  FILE_BY_ENGINE,
  findEngineViolations,
  killAtEveryVisit,
  SWITCH_FROM_ENGINE,
  TOOLS_BY_ENGINE,
} from './engine-runs.js';

const TIMEOUT_MS = 300_000;
/** Answers of the model in a run of `TOOLS_BY_ENGINE`. */
const ROUNDS = 3;

/** Phases of a run by an engine with its failpoints, and more visits than a run makes. */
const PHASES: readonly (readonly [phase: string, Failpoint, visits: number, isDaily?: boolean])[] = [
  ['before it starts', 'claim.after', 2],
  ['starting, and between rounds', 'model.before_call', 4, true],
  ['streaming', 'model.mid_stream', 4, true],
  ['answered, and not committed', 'model.after_response_before_commit', 4],
  ['about to run a tool', 'tool.after_intent_before_call', 3],
  ['in a tool', 'tool.during_call', 3, true],
  ['behind the effect of a tool', 'tool.after_effect_before_commit', 3],
  ['behind a tool', 'tool.after_commit', 4],
  ['before each commit', 'journal.before_commit', 8],
  ['after each commit', 'journal.after_commit', 8],
  ['ending', 'settle.before_commit', 2],
  ['ended', 'settle.after_commit_before_events', 2],
];

describe('a run by an engine whose worker is killed', () => {
  let engines: EngineLane;
  beforeAll(async () => {
    engines = await EngineLane.open();
  }, TIMEOUT_MS);
  afterAll(() => engines.close(), TIMEOUT_MS);

  it.each(chosen(PHASES, ([, , , isDaily]) => isDaily === true))(
    '%s (%s): goes on, leaves no process, and is billed to the token',
    async (_phase, point, visits) => {
      expect(await killAtEveryVisit(engines, TOOLS_BY_ENGINE, point, visits)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'while its engine starts: goes on, leaves no process, and asks the model once a round',
    async () => {
      const { lane, standIn } = engines;
      standIn.hold();
      try {
        const run = await beginEngineRun(engines, TOOLS_BY_ENGINE);
        // The engine and the program that runs it.
        await waitFor(() => engines.processes().length >= 2, { description: 'the engine to start' });
        expect(engines.folders()).toHaveLength(1);
        await breakAll(await lane.freezeAndReplace(new Set([lane.worker.pid])), 'kill');
        expect(await readModelRequests(lane, run.key)).toEqual([]);
        standIn.letGo();
        await run.ended;
        await waitUntilDelivered(lane, [run.id]);
        expect(await findEngineViolations(engines, TOOLS_BY_ENGINE, run)).toEqual([]);
        expect(await readModelRequests(lane, run.key)).toHaveLength(ROUNDS);
      } finally {
        standIn.letGo();
      }
      expect(await engines.leftBehind()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it.each(
    chosen<readonly [Failpoint, number]>(
      [
        ['tool.after_intent_before_call', 2],
        ['tool.after_effect_before_commit', 2],
        ['tool.after_commit', 3],
      ],
      ([point]) => point === 'tool.after_effect_before_commit',
    ),
  )(
    'around write_file (%s): the file is written once',
    async (point, visits) => {
      expect(await killAtEveryVisit(engines, FILE_BY_ENGINE, point, visits)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'in the middle of write_file: the file is written once, with its content',
    async () => {
      const { lane } = engines;
      const run = await whileFilesAreLocked(lane, async () => {
        const begun = await beginEngineRun(engines, FILE_BY_ENGINE);
        await waitFor(() => isAboutToWrite(engines), { description: 'the file to be about to be written' });
        await breakAll(await lane.freezeAndReplace(new Set([lane.worker.pid])), 'kill');
        return begun;
      });
      await run.ended;
      await waitUntilDelivered(lane, [run.id]);
      expect(await findEngineViolations(engines, FILE_BY_ENGINE, run)).toEqual([]);
      expect(await engines.leftBehind()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it.each(
    chosen<readonly [Failpoint, number]>(
      [
        ['journal.before_commit', 8],
        ['journal.after_commit', 8],
        ['model.before_call', 6],
      ],
      ([point]) => point === 'journal.before_commit',
    ),
  )(
    'around its switch to a fallback (%s): it switches once',
    async (point, visits) => {
      expect(await killAtEveryVisit(engines, SWITCH_FROM_ENGINE, point, visits)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** Lets no statement write files until `work` is done. */
async function whileFilesAreLocked<Done>(
  { deployment }: CrashLane,
  work: () => Promise<Done>,
): Promise<Done> {
  const lock = new Client({ connectionString: deployment.databaseUrl });
  await lock.connect();
  try {
    await lock.query('BEGIN; LOCK TABLE workspace_file IN SHARE MODE');
    return await work();
  } finally {
    // The server ends the transaction with its connection.
    await lock.end();
  }
}

/** Whether a statement waits to write into the table of files. */
async function isAboutToWrite({ lane }: EngineLane): Promise<boolean> {
  const { rows } = await lane.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_locks
      WHERE NOT granted AND relation = 'workspace_file'::regclass AND mode = 'RowExclusiveLock'`,
  );
  return (rows[0]?.count ?? 0) > 0;
}
