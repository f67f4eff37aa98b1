import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ExecutionView } from '#libs/payloads';
import { scripted } from '../../support/services/api-client.js';
import type { QueueBackend } from '../../support/services/deployment.js';
import { createPatientServer } from '../../support/services/patient-server.js';
import { waitFor } from '../../support/services/wait-for.js';
import { CrashLane } from './crash-lane.js';
import type { FailpointBoard, Trap } from './failpoint-board.js';
import { openWhole } from '../../support/services/open-whole.js';

/** The name of the `refund` call within its execution. */
const REFUND_CALL = '1.0';
const REFUND = { order_number: 'A-1001', amount: '5.00', reason: 'broken' };

/** A lane with a support desk and a shop that pays at every request, and records the idempotency keys. */
export class RefundLane {
  /** Idempotency keys in the order of arrival; each entry is one payment. */
  private readonly paid: string[] = [];

  private constructor(
    private readonly lane: CrashLane,
    private readonly shop: Server,
    private readonly agentId: number,
  ) {}

  static open(backend: QueueBackend): Promise<RefundLane> {
    return openWhole(async (begun) => {
      const lane = begun(await CrashLane.open(backend));
      const shop = createPatientServer();
      await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
      begun({ close: () => closeServer(shop) });
      const agents = await lane.api.get<{ id: number; name: string }[]>('/api/agents/');
      const agentId = agents.find(({ name }) => name === 'supportAgent')?.id ?? 0;
      const refunds = new RefundLane(lane, shop, agentId);
      shop.on('request', (request, response) => void refunds.pay(request, response));
      await refunds.nameShop();
      return refunds;
    });
  }

  get board(): FailpointBoard {
    return this.lane.board;
  }

  /** Submits an execution and waits until it asks for the approval of a refund. */
  async askedFor(): Promise<string> {
    const call = { name: 'refund', arguments: REFUND };
    const { id } = await this.lane.submit(
      { input: scripted({ calls: [call] }, { text: 'Paid.' }) },
      this.agentId,
    );
    expectToAsk(await this.stopped(id), 'approval');
    return id;
  }

  /** Waits until the execution has ended or requires a person's action. */
  stopped(id: string): Promise<ExecutionView> {
    return waitFor(
      async () => {
        const view = await this.lane.api.get<ExecutionView>(`/api/executions/${id}/`);
        return view.status === 'requires_action' || view.finished_at !== null ? view : null;
      },
      { description: `execution ${id} to stop` },
    );
  }

  /** Sends a person's decision on the call, such as `{ approved: true }` or `{ outcome: 'happened' }`. */
  async decide(id: string, decision: object): Promise<void> {
    const decisions = [{ call: REFUND_CALL, ...decision }];
    const answer = await this.lane.api.post(`/api/executions/${id}/approvals/`, { decisions });
    if (!answer.ok) throw new Error(`the decision was answered ${answer.status}: ${await answer.text()}`);
  }

  /** Kills the process that is held at the failpoint, after its successor has started. */
  async killAt(trap: Trap): Promise<void> {
    for (const { process } of await this.lane.freezeAndReplace(await trap.catch(1))) await process.kill();
    this.lane.board.disarm(trap);
  }

  /** Kills the worker although it is not held at a failpoint. */
  async killWorker(): Promise<void> {
    for (const { process } of await this.lane.freezeAndReplace(new Set([this.lane.worker.pid])))
      await process.kill();
  }

  /** The number of payments for an execution, and of their distinct keys. */
  paidFor(id: string): { readonly times: number; readonly keys: number } {
    const keys = this.paid.filter((key) => key.startsWith(`${id}.`));
    return { times: keys.length, keys: new Set(keys).size };
  }

  /** The number of requests for approval. */
  async timesAsked(id: string): Promise<number> {
    const { rows } = await this.lane.database.query(
      `SELECT 1 FROM journal_entry WHERE execution_id = $1 AND kind = 'approval_requested'`,
      [id],
    );
    return rows.length;
  }

  async nameShop(): Promise<void> {
    const refunds_url = `http://127.0.0.1:${(this.shop.address() as AddressInfo).port}/refunds`;
    const answer = await fetch(`${this.lane.api.url}/api/support-shop/`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refunds_url }),
    });
    if (!answer.ok) throw new Error(`the shop was answered ${answer.status}`);
  }

  /** Removes the tenant's shop. */
  async removeShop(): Promise<void> {
    const answer = await fetch(`${this.lane.api.url}/api/support-shop/`, { method: 'DELETE' });
    if (answer.status !== 204) throw new Error(`the removal of the shop was answered ${answer.status}`);
  }

  async close(): Promise<void> {
    await this.lane.close();
    await closeServer(this.shop);
  }

  /** Pays as soon as a request arrives, even if the caller dies before the answer. */
  private async pay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await text(request);
    const key = String(request.headers['idempotency-key']);
    this.paid.push(key);
    const executionId = key.slice(0, key.indexOf('.'));
    const { pid } = this.lane.worker;
    await this.board.visit({ point: 'tool.during_call', executionId, pid, about: [REFUND_CALL] });
    response
      .writeHead(201, { 'content-type': 'application/json' })
      .end(`{"receipt": "R-${this.paid.length}"}`);
  }
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function expectToAsk(view: ExecutionView, asks: 'approval' | 'outcome'): void {
  const said = view.required_action?.calls.map((call) => `${call.call} ${call.asks}`).join();
  if (said !== `${REFUND_CALL} ${asks}`) throw new Error(`${view.status}, and asks ${String(said)}`);
}
