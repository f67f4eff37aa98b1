import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionView } from '#libs/payloads';
import { intervalAfter } from '../../support/services/wait-for.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import type { CrashLane } from '../services/crash-lane.js';
import { CALLED_AGENTS, type CalledAgent } from '../services/offer-agents.js';
import { scriptedAs } from '../services/scripted-as.js';
import { untilReported, type HeldExecution } from './until-reported.js';

/** The one unsafe call, which a person has to approve first. */
export const UNSAFE_CALL = '1.0:1.0';
/** The execution's loops, and the calls inside that may be repeated. */
export const SCOPES = ['', '1.0', '1.1', '1.2'] as const;
export const REPEATABLE_CALLS = ['1.1:1.0', '1.1:1.1'] as const;
export const ANSWER = 'all is done';

const ENDED = new Set(['completed', 'incomplete', 'failed', 'cancelled']);
const MAX_MS = 150_000;

/** An execution that calls three agents at once, with a user who approves every call. */
export interface AgentsAtOnce extends HeldExecution {
  readonly key: string;
}

/** The key in the requests of one of its loops to the model. */
export function keyOf(key: string, scope: string): string {
  return scope === '' ? key : `${key}@${scope}`;
}

export async function beginAgentsAtOnce(lane: CrashLane): Promise<AgentsAtOnce> {
  const key = randomUUID();
  const call = (name: string, item: string) => ({ name, arguments: { item, delay_ms: null, fail: null } });
  const { read, idempotent, unsafe } = WATCHED_TOOLS;
  const answers: Record<CalledAgent, readonly object[]> = {
    clerk: [{ calls: [call(unsafe, key)] }, { text: 'the clerk has charged' }],
    scout: [{ calls: [call(read, key), call(idempotent, key)] }, { text: 'the scout has seen it' }],
    scribe: [{ text: 'the scribe has written' }],
  };
  const calls = (Object.keys(CALLED_AGENTS) as CalledAgent[]).map((name, position) => ({
    name,
    arguments: { prompt: scriptedAs(keyOf(key, `1.${position}`), answers[name]) },
  }));
  const input = scriptedAs(key, [{ calls }, { text: ANSWER }]);
  const { id } = await lane.submit({ input, metadata: { case: key } }, lane.callerId);
  return { key, ...untilReported(lane, id, agreeUntilEnded(lane, id)) };
}

async function agreeUntilEnded(lane: CrashLane, id: string): Promise<ExecutionView> {
  const begunAt = Date.now();
  for (let waitedMs = 0; waitedMs < MAX_MS; waitedMs = Date.now() - begunAt) {
    await delay(intervalAfter(waitedMs));
    const view = await lane.api.get<ExecutionView>(`/api/executions/${id}/`).catch(() => null);
    if (view === null) continue;
    if (ENDED.has(view.status)) return view;
    const decisions = (view.required_action?.calls ?? []).map(({ call }) => ({
      call,
      approved: true,
      reason: '',
    }));
    // A second poll may come before the first decision is applied, and its decision is then refused.
    if (decisions.length > 0) await lane.api.post(`/api/executions/${id}/approvals/`, { decisions });
  }
  throw new Error(`the execution ${id} has not ended after ${MAX_MS} ms`);
}
