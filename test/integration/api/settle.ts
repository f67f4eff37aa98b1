import type { DataSource } from 'typeorm';
import type { EventStream } from '#libs/executions';
import { toExecutionResult, type ExecutionView } from '#libs/payloads';
import { ExecutionStore } from '#libs/persistence';

/** End of an execution; by default, it completes with the answer `done`. */
export interface Ending {
  readonly status?: 'completed' | 'incomplete' | 'failed' | 'cancelled';
  readonly content?: string;
  readonly secondsAgo?: number;
  readonly attempt?: number;
  readonly error?: { readonly code: string; readonly message: string };
}

const USAGE = { input_tokens: 10, output_tokens: 5, total_tokens: 15, total_cost_usd: '0.0001' };

/** Ends an execution in the database, in place of a worker; returns its view. */
export async function settle(
  dataSource: DataSource,
  id: string,
  ending: Ending = {},
): Promise<ExecutionView> {
  const { status = 'completed', content = 'done', error = null } = ending;
  const hasAnswer = status === 'completed' || status === 'incomplete';
  const messageId = hasAnswer ? await insertAnswer(dataSource, id, content) : null;
  await dataSource.query(
    `UPDATE execution SET status = $2, attempt = $8, started_at = now(), finished_at = now() - $7 * interval '1 second', result_message_id = $3,
            usage = $4, error = $5, incomplete_reason = $6 WHERE id = $1`,
    [
      id,
      status,
      messageId,
      USAGE,
      error,
      status === 'incomplete' ? 'max_iterations' : null,
      ending.secondsAgo ?? 0,
      ending.attempt ?? 1,
    ],
  );
  return readExecution(dataSource, id);
}

/** Ends an execution, and appends its result to the event stream under `eventId`; returns its view. */
export async function settleAndTell(
  { dataSource, events }: { readonly dataSource: DataSource; readonly events: EventStream },
  id: string,
  eventId: number,
  ending: Ending = {},
): Promise<ExecutionView> {
  const view = await settle(dataSource, id, ending);
  const further = { num_turns: 1, session_id: null, title_pending: false };
  await events.append(id, eventId, [{ event: 'result', data: toExecutionResult(view, further) }]);
  return view;
}

/** Parks an execution in the database until a person decides, in place of a worker; returns its view. */
export async function park(dataSource: DataSource, id: string): Promise<ExecutionView> {
  const calls = [{ call: '1.0', asks: 'approval', tool_name: 'charge', tool_input: {} }];
  await dataSource.query(
    `UPDATE execution SET status = 'requires_action', attempt = 1, pending_calls = $2,
            approval_expires_at = now() + interval '1 hour' WHERE id = $1`,
    [id, JSON.stringify(calls)],
  );
  return readExecution(dataSource, id);
}

async function insertAnswer(dataSource: DataSource, id: string, content: string): Promise<number> {
  const [message] = await dataSource.query<{ id: number }[]>(
    `INSERT INTO chat_message (tenant_id, session_id, execution_id, turn_number, ordinal, role, content)
     SELECT tenant_id, session_id, id, turn_number, 1, 'assistant', $2 FROM execution WHERE id = $1 RETURNING id`,
    [id, content],
  );
  if (message === undefined) throw new Error(`there is no execution ${id}`);
  return message.id;
}

async function readExecution(dataSource: DataSource, id: string): Promise<ExecutionView> {
  const [row] = await dataSource.query<{ tenant_id: string }[]>(
    'SELECT tenant_id FROM execution WHERE id = $1',
    [id],
  );
  const view = await new ExecutionStore(dataSource).find(row?.tenant_id ?? '', id);
  if (view === null) throw new Error(`there is no execution ${id}`);
  return view;
}
