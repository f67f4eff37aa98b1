import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Arrival, Failpoint } from '../programs/failpoints.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import { breakAtEveryVisit } from '../matrix/one-per-visit.js';
import { isUnknown } from '../matrix/run-scope-batch.js';
import { collectExecution, readModelRequests, readUsage } from '../matrix/evidence/collect-evidence.js';
import { ofScopeUsage } from '../matrix/evidence/find-scope-violations.js';
import {
  ofEvents,
  ofJournal,
  ofModelRequest,
  ofWebhooks,
  unless,
} from '../matrix/evidence/execution-violations.js';
import { untilReported, type HeldExecution } from '../matrix/until-reported.js';
import type { CrashLane } from '../services/crash-lane.js';
import { scriptedAs } from '../services/scripted-as.js';
import type { EngineAgent, EngineLane } from './engine-lane.js';

const MAX_MS = 150_000;
const watched = (item: string) => ({ item, delay_ms: null, fail: null });
const call = (name: string, given: object) => ({
  calls: [{ name: `mcp__capstan__${name}`, arguments: given }],
});
const slowly = (text: string) => ({ text, delta_characters: 8, latency: { delta_ms: 20 } });

/** One kind of run: its script, and the unsafe calls of it. */
interface EngineScript {
  readonly agent: EngineAgent;
  readonly answer: string;
  /** Unsafe calls by name; none of them may be made twice. */
  readonly unsafe: readonly string[];
  answers(key: string): readonly object[];
}

/** A tool that may be repeated, then one that may not, then the answer. */
export const TOOLS_BY_ENGINE: EngineScript = {
  ...{ agent: 'clerk', answer: 'both are done', unsafe: ['2.0'] },
  answers: (key) => [
    call(WATCHED_TOOLS.read, watched(key)),
    call(WATCHED_TOOLS.unsafe, watched(key)),
    slowly('both are done'),
  ],
};

export const FILE_BY_ENGINE: EngineScript = {
  ...{ agent: 'writer', answer: 'it is written', unsafe: [] },
  answers: (key) => [call('write_file', { path: 'notes.txt', content: key }), slowly('it is written')],
};

/** The model of the engine is away, so that the fallback calls the tool, under the name that it has in this service. */
export const SWITCH_FROM_ENGINE: EngineScript = {
  ...{ agent: 'switching', answer: 'by the fallback', unsafe: ['1.0'] },
  answers: (key) => {
    const away = { on: { endpoint: 'messages' }, fault: { kind: 'server_error', status: 529 } };
    const charge = { name: WATCHED_TOOLS.unsafe, arguments: watched(key) };
    return [{ calls: [charge], faults: [away] }, slowly('by the fallback')];
  },
};

interface EngineRun extends HeldExecution {
  readonly key: string;
}

export async function beginEngineRun({ lane, agents }: EngineLane, script: EngineScript): Promise<EngineRun> {
  const key = randomUUID();
  const input = scriptedAs(key, script.answers(key));
  const { id } = await lane.submit({ input, metadata: { case: key } }, agents[script.agent]);
  return { key, ...untilReported(lane, id, lane.api.settled(id, MAX_MS)) };
}

/** Kills the worker with a run held at each visit of the failpoint; returns the violations, a sentence each. */
export async function killAtEveryVisit(
  engines: EngineLane,
  script: EngineScript,
  point: Failpoint,
  visits: number,
): Promise<string[]> {
  const { lane } = engines;
  const { begun, held } = await breakAtEveryVisit(lane, { point, action: 'kill', visits }, () =>
    beginEngineRun(engines, script),
  );
  const found = await Promise.all(
    begun.map(async (run, index) => {
      const arrival = held.get(run.id);
      const violations = await findEngineViolations(engines, script, run, arrival);
      return violations.map((text) => `visit ${index + 1}${arrival ? '' : ' (not held)'}: ${text}`);
    }),
  );
  return [
    ...found.flat(),
    ...unless(held.size > 0, `no run was held at ${point}`),
    ...(await engines.leftBehind()).map((left) => `an engine is left: ${left}`),
  ];
}

/** The violations of one run: ending, journal, events, audit, bill and webhooks have to agree. */
export async function findEngineViolations(
  { lane }: EngineLane,
  { agent, answer, unsafe }: EngineScript,
  { id, key }: EngineRun,
  held?: Arrival,
): Promise<string[]> {
  const evidence = await collectExecution(lane, id);
  const asked = await readModelRequests(lane, key);
  const { view, journal } = evidence;
  const wanted = isUnknown(held, unsafe) ? 'failed TOOL_OUTCOME_UNKNOWN' : `completed ${answer}`;
  const ended = `${view.status} ${view.error?.code ?? view.result?.message.content}`;
  const switches = journal.filter(({ kind }) => kind === 'model_switched').length;
  const timesOf = (name: string) =>
    evidence.calls.filter(({ callKey }) => callKey === `${id}.${name}`).length;
  return [
    ...unless(ended === wanted, `it ended "${ended}", not "${wanted}"`),
    ...unless(switches <= 1, `it switched ${switches} times`),
    ...unsafe.flatMap((name) => unless(timesOf(name) <= 1, `unsafe call ${name} was made twice`)),
    ...ofJournal(evidence),
    ...ofEvents(evidence),
    ...asked.filter(({ status }) => status === 200).flatMap(ofModelRequest),
    ...ofScopeUsage(
      (await readUsage(lane, id)).filter(({ state }) => state !== 'failed'),
      asked.filter(({ status }) => status === 200),
      view.attempt,
    ).map((text) => `bill: ${text}`),
    ...ofWebhooks(evidence, lane.webhookSecret),
    ...(agent === 'writer' ? await findFileViolations(lane, id, key) : []),
  ];
}

/** The file has to be written once, with the key as its content. */
async function findFileViolations({ database }: CrashLane, id: string, key: string): Promise<string[]> {
  const { rows } = await database.query<{ content: string; writes: number }>(
    `SELECT convert_from(content, 'UTF8') AS content,
            (SELECT count(*)::int FROM workspace_write WHERE session_id = file.session_id) AS writes
       FROM workspace_file file JOIN execution ON execution.session_id = file.session_id WHERE execution.id = $1`,
    [id],
  );
  const isRight = isDeepStrictEqual(rows, [{ content: key, writes: 1 }]);
  return unless(isRight, `its files: ${JSON.stringify(rows)}`);
}
