import { Pool } from 'undici';
import type { Assignment, WorkerDoor } from '#libs/executions';
import { freeSlotsSchema } from '#libs/payloads';
import type { WorkerAddress } from '#libs/persistence';

/** Milliseconds for a connection; a worker whose host is gone does not answer at all. */
const CONNECT_WITHIN_MS = 500;
/** Milliseconds for the answer; a worker that is frozen, or too busy to answer, gets nothing for a while. */
const ANSWER_WITHIN_MS = 1_000;

/** A worker that takes executions over HTTP, on one connection that stays open. */
export class HttpWorkerDoor implements WorkerDoor {
  readonly workerId: string;
  private readonly pool: Pool;

  constructor({ id, address }: WorkerAddress) {
    this.workerId = id;
    this.pool = new Pool(address, {
      connections: 1,
      connect: { timeout: CONNECT_WITHIN_MS },
      headersTimeout: ANSWER_WITHIN_MS,
      bodyTimeout: ANSWER_WITHIN_MS,
    });
  }

  async hand(assignments: readonly Assignment[]): Promise<number> {
    const handed = assignments.map(({ executionId, token }) => ({ execution_id: executionId, token }));
    const { statusCode, body } = await this.pool.request({
      path: '/executions',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ worker: this.workerId, assignments: handed }),
    });
    const answer: unknown = await body.json().catch(() => null);
    if (statusCode === 200) return freeSlotsSchema.parse(answer).free;
    throw new Error(`the worker answered with ${statusCode}`);
  }

  /** Ends the connection once what was handed over is answered. */
  close(): Promise<void> {
    return this.pool.close();
  }
}
