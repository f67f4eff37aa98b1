import type { ExecutionView } from '#libs/payloads';
import { waitFor } from '../../../support/services/wait-for.js';
import type { CrashLane } from '../../services/crash-lane.js';
import type {
  CallSeen,
  CaseEvidence,
  DeliveryRow,
  ExecutionEvidence,
  JournalRow,
  ModelRequestSeen,
  StepRow,
  UsageSeen,
} from './case-evidence.js';

import { followUpKey } from '../conversation.js';
import { itemsOf, type AskedBody } from './request-items.js';

const MAX_RECOVERY_MS = 60_000;

/** Waits until all executions have ended and their deliveries are marked as delivered. */
export async function waitUntilDelivered(lane: CrashLane, executionIds: readonly string[]): Promise<void> {
  let undelivered: string[] = [];
  const areDelivered = async (): Promise<boolean> => {
    undelivered = (await query<{ what: string }>(lane, UNDELIVERED_SQL, executionIds)).map(
      ({ what }) => what,
    );
    return undelivered.length === 0;
  };
  const wait = {
    description: 'all to end and to be delivered',
    timeoutMs: MAX_RECOVERY_MS,
    intervalMs: 50,
  };
  await waitFor(areDelivered, wait).catch((cause: unknown) => {
    throw new Error(`after ${MAX_RECOVERY_MS} ms: ${undelivered.join('; ')}`, { cause });
  });
}

const UNDELIVERED_SQL = `
  SELECT e.id || ' is ' || e.status || ', attempt ' || e.attempt || ', turn ' || e.turn_number
         || ', webhook ' || coalesce(delivery.status, 'missing') AS what
    FROM execution e LEFT JOIN webhook_delivery delivery ON delivery.execution_id = e.id
   WHERE e.id = ANY($1) AND (e.finished_at IS NULL OR delivery.status IS DISTINCT FROM 'delivered')`;

/** Collects the records of one case. `key`: the mark in its requests to the model and in its metadata. */
export async function collectEvidence(
  lane: CrashLane,
  key: string,
  firstId: string,
  secondId: string,
): Promise<CaseEvidence> {
  const served = (caseKey: string): CallSeen[] =>
    lane.toolServers
      .callsOf(caseKey)
      .map((call) => ({ ...call, callKey: call.idempotencyKey ?? 'a call without its key' }));
  const called = await collectExecution(lane, firstId);
  const followed = await collectExecution(lane, secondId);
  const first = { ...called, calls: [...called.calls, ...served(key)] };
  const second = { ...followed, calls: [...followed.calls, ...served(followUpKey(key))] };
  const { data: messages } = await lane.api.get<{ data: CaseEvidence['messages'] }>(
    `/api/sessions/${first.view.session_uuid}/messages/`,
  );
  const accepted = await query<{ count: number }>(
    lane,
    `SELECT count(*)::int AS count FROM execution WHERE metadata ->> 'case' = $1 AND turn_number = 1`,
    key,
  );
  return {
    accepted: accepted[0]?.count ?? 0,
    first,
    second,
    messages,
    modelRequests: await readModelRequests(lane, key),
    webhookSecret: lane.webhookSecret,
  };
}

export async function collectExecution(lane: CrashLane, id: string): Promise<ExecutionEvidence> {
  const [view, steps, events, rows, journal, deliveries] = await Promise.all([
    lane.api.get<ExecutionView>(`/api/executions/${id}/`),
    lane.api.get<{ data: StepRow[] }>(`/api/executions/${id}/steps/`),
    lane.api.events(id),
    query<{ lost_attempts: number; epoch: number }>(
      lane,
      `SELECT lost_attempts, epoch FROM execution WHERE id = $1`,
      id,
    ),
    query<JournalRow>(
      lane,
      `SELECT sequence, epoch, scope, kind, data FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`,
      id,
    ),
    readDeliveries(lane, id),
  ]);
  return {
    view,
    lostAttempts: rows[0]?.lost_attempts ?? -1,
    epoch: rows[0]?.epoch ?? -1,
    journal,
    steps: steps.data,
    // Heartbeats come without an id.
    events: events
      .filter(({ event }) => event !== 'heartbeat')
      .map((event) => ({
        id: Number(event.id),
        event: event.event ?? '',
        data: JSON.parse(event.data) as unknown,
      })),
    deliveries,
    received: lane.receiver.received.filter(({ body }) => executionOf(body) === id),
    calls: lane.effects.callsOf(id),
  };
}

function executionOf(webhookBody: string): string {
  return (JSON.parse(webhookBody) as { data: { id: string } }).data.id;
}

function readDeliveries(lane: CrashLane, executionId: string): Promise<DeliveryRow[]> {
  return query(
    lane,
    `SELECT id, type, status, body FROM webhook_delivery WHERE execution_id = $1`,
    executionId,
  );
}

/** The requests under a key that the model's server received. */
export async function readModelRequests(lane: CrashLane, key: string): Promise<ModelRequestSeen[]> {
  const url = `${lane.deployment.simulatorUrl}/__control/requests?key=${encodeURIComponent(key)}`;
  const { requests } = (await (await fetch(url)).json()) as {
    requests: (Omit<ModelRequestSeen, 'input'> & { body: AskedBody })[];
  };
  return requests.map(({ status, response_id, usage, body }) => ({
    status,
    response_id,
    usage,
    input: itemsOf(body),
  }));
}

/** The usage rows of an execution's rounds. */
export function readUsage(lane: CrashLane, executionId: string): Promise<UsageSeen[]> {
  return query(
    lane,
    `SELECT scope, round, state, response_id, total_tokens::int FROM usage_log
      WHERE execution_id = $1 AND purpose = 'round' ORDER BY scope, round, try_number`,
    executionId,
  );
}

async function query<T extends object>(
  lane: CrashLane,
  sql: string,
  parameter: string | readonly string[],
): Promise<T[]> {
  return (await lane.database.query<T>(sql, [parameter])).rows;
}
