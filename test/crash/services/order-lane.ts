import type { ExecutionView } from '#libs/payloads';
import type { QueueBackend } from '../../support/services/deployment.js';
import type { Failpoint } from '../programs/failpoints.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import { CrashLane } from './crash-lane.js';
import type { Trap } from './failpoint-board.js';

const ORDER = [
  'Hi, this is Dana from Harbor Grill,',
  '- 5 cases roma tomatoes',
  '- 2 cases lemons',
  '- 3 cs moon cheese',
].join('\n');

/** Between the review and the report: something that must not happen twice. */
const RESERVE = {
  name: 'reserve',
  kind: 'tool',
  tool: WATCHED_TOOLS.unsafe,
  arguments: { item: '{{/steps/draft/customer_name}}', delay_ms: null, fail: null },
};

/** What an order came to, without its number. */
export interface OrderOutcome {
  readonly summary: string;
  readonly steps: readonly string[];
  readonly orders: readonly { readonly customer_name: string; readonly payload: object }[];
}

/** A lane whose `orderEntryWorkflow`, as it is seeded, does one unsafe thing more. */
export class OrderLane {
  private constructor(
    private readonly lane: CrashLane,
    private readonly agentId: number,
  ) {}

  static async open(backend: QueueBackend): Promise<OrderLane> {
    const lane = await CrashLane.open(backend);
    await lane.database.query(`UPDATE llm SET model = 'sim-order-clerk'`);
    // The API has no such tool: the agent is changed as it is stored.
    const { rows } = await lane.database.query<{ id: number }>(
      `UPDATE agent SET tools = jsonb_set(tools, '{builtin}', (tools -> 'builtin') || to_jsonb($1::text)),
                        config = jsonb_insert(config, '{steps,-1}', $2)
        WHERE name = 'orderEntryWorkflow' RETURNING id`,
      [WATCHED_TOOLS.unsafe, JSON.stringify(RESERVE)],
    );
    return new OrderLane(lane, rows[0]?.id ?? 0);
  }

  async order(): Promise<string> {
    return (await this.lane.submit({ input: ORDER }, this.agentId)).id;
  }

  /** Holds the visit of this place that says so: by what it is about, or its number. */
  arm(point: Failpoint, which: string | number): Trap {
    if (typeof which === 'number') return this.lane.board.arm(point, which);
    const { board } = this.lane;
    let visits = 0;
    return board.arm(point, () => {
      const visitor = board.visitors.at(-1);
      if (visitor?.point === point) visits += 1;
      return visitor?.about.includes(which) === true ? visits : Promise.resolve(null);
    });
  }

  /** Whoever stands at the failpoint dies there; its successor is up by then. */
  async killAt(trap: Trap): Promise<void> {
    for (const { process } of await this.lane.replace(await trap.catch(1))) await process.kill();
    this.lane.board.disarm(trap);
  }

  settled(id: string): Promise<ExecutionView> {
    return this.lane.api.settled(id, 60_000);
  }

  /** How often the unsafe thing was done. */
  reservationsOf(id: string): number {
    return this.lane.effects.callsOf(id).length;
  }

  async outcomeOf(id: string): Promise<OrderOutcome> {
    const view = await this.settled(id);
    const { rows: steps } = await this.lane.database.query<{ step: string }>(
      `SELECT (data ->> 'step') || ' ' || (data -> 'outcome' ->> 'status') AS step FROM journal_entry
        WHERE execution_id = $1 AND kind = 'step_settled' ORDER BY sequence`,
      [id],
    );
    const { rows: orders } = await this.lane.database.query<OrderOutcome['orders'][number]>(
      `SELECT customer_name, payload FROM order_request WHERE execution_id = $1`,
      [id],
    );
    const summary = view.result?.message.content.replace(/^Order request \d+ /, '') ?? view.status;
    return { summary, steps: steps.map(({ step }) => step), orders };
  }

  /** Audit rows that nobody has ended. */
  async openRows(id: string): Promise<number> {
    const { rows } = await this.lane.database.query(
      `SELECT 1 FROM run_step WHERE execution_id = $1 AND status = 'started'`,
      [id],
    );
    return rows.length;
  }

  close(): Promise<void> {
    return this.lane.close();
  }
}
