import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { whenAllRun } from '../../support/selection.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';

const QUICK = {
  LEASE_SECONDS: '3',
  DISPATCH_INTERVAL_MS: '100',
  SHUTDOWN_GRACE_SECONDS: '10',
  // Only a claim finds a suspect.
  HANDOVER: 'queue',
};
const SEARCH = { name: 'search_items', arguments: { query: 'roma', limit: null } };
const SLOW = { latency: { headers_ms: 30_000 }, text: 'too late' };

interface Row {
  readonly status: string;
  readonly attempt: number;
  readonly lost_attempts: number;
  readonly isolated_deaths: number;
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = NaN, parent]) => (parent === pid ? [child] : []));
}

describe('a suspect', () => {
  let deployment: Deployment;
  let api: ApiClient;
  let database: Client;
  let worker: ServiceProcess;

  beforeAll(async () => {
    deployment = await Deployment.open('postgres', QUICK);
    database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script'`);
    // Each accepted execution is a suspect at once, as after two lost attempts.
    await database.query(`ALTER TABLE execution ALTER lost_attempts SET DEFAULT 2`);
    api = new ApiClient((await deployment.startApi()).url);
  });
  afterEach(() => worker.kill());
  afterAll(async () => {
    await database.end();
    await deployment.close();
  });

  async function row(id: string): Promise<Row | undefined> {
    const { rows } = await database.query<Row>(
      'SELECT status, attempt, lost_attempts, isolated_deaths FROM execution WHERE id = $1',
      [id],
    );
    return rows[0];
  }

  const isolated = async (): Promise<number> => {
    const { rows } = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE application_name = 'capstan-isolated' AND datname = current_database()`,
    );
    return rows[0]?.count ?? 0;
  };

  /** Submits an execution that runs isolated, and returns during the model call of its second round. */
  async function submitSlow(settings: Record<string, string> = {}): Promise<string> {
    worker = await deployment.startWorker(settings);
    const { id } = await api.submit({ input: scripted({ calls: [SEARCH] }, SLOW) });
    await waitFor(
      async () => (await api.get<{ data: object[] }>(`/api/executions/${id}/steps/`)).data.length === 1,
      { description: 'the tool call to be recorded' },
    );
    expect(await isolated()).toBeGreaterThan(0);
    return id;
  }

  const until = (id: string, status: string) =>
    waitFor(async () => ((await row(id))?.status === status ? row(id) : null), {
      description: `the execution to be ${status}`,
    });

  it('runs in a process of its own, with the least memory there can be, and for everybody else as any other', async () => {
    worker = await deployment.startWorker({ ISOLATION_HEAP_MB: '96' });
    const { id } = await api.submit({ input: scripted({ calls: [SEARCH] }, { text: 'here you are' }) });
    expect(await api.settled(id)).toMatchObject({
      status: 'completed',
      attempt: 1,
      result: { message: { content: 'here you are' } },
    });
    const events = await api.events(id);
    expect(events.map((event) => Number(event.id))).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.event).toBe('result');
  });

  it('runs in the process of an earlier one, which waits for it', async () => {
    worker = await deployment.startWorker();
    const processes: number[][] = [];
    for (const text of ['one', 'two']) {
      const { id } = await api.submit({ input: scripted({ calls: [SEARCH] }, { text }) });
      expect(await api.settled(id)).toMatchObject({ result: { message: { content: text } } });
      processes.push(await childrenOf(worker.pid));
    }
    expect(processes[0]).toHaveLength(1);
    expect(processes[1]).toEqual(processes[0]);
  });

  whenAllRun(() => {
    it('is cancelled', async () => {
      const id = await submitSlow();
      await api.post(`/api/executions/${id}/cancel/`, {});
      expect(await api.settled(id)).toMatchObject({ status: 'cancelled' });
    });

    it('ends at its deadline with what there is', async () => {
      const id = await submitSlow({ EXECUTION_TIMEOUT_SECONDS: '12' });
      expect(await api.settled(id)).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'timeout' },
      });
    });

    it('goes back into the line when its worker is asked to stop', async () => {
      const id = await submitSlow();
      const stopped = worker.stop();
      expect(await until(id, 'queued')).toMatchObject({ lost_attempts: 2, isolated_deaths: 0 });
      await stopped;
    });

    it('is requeued without a recorded crash when every process of its worker is asked to stop', async () => {
      const id = await submitSlow({ SHUTDOWN_GRACE_SECONDS: '2' });
      const children = await childrenOf(worker.pid);
      expect(children).not.toEqual([]);
      for (const child of children) process.kill(child, 'SIGTERM');
      const stopped = worker.stop();
      expect(await until(id, 'queued')).toMatchObject({ lost_attempts: 2, isolated_deaths: 0 });
      await stopped;
    });
  });

  it('does not outlive a killed worker, and gets no recorded crash for it', async () => {
    const id = await submitSlow();
    await worker.kill();
    await waitFor(async () => (await isolated()) === 0, { description: 'its process to be gone' });
    expect(await row(id)).toMatchObject({ status: 'running', isolated_deaths: 0 });
  });

  whenAllRun(() => {
    it('is released by its own process when its worker is frozen', async () => {
      const id = await submitSlow();
      worker.freeze();
      expect(await until(id, 'queued')).toMatchObject({ attempt: 1, isolated_deaths: 0 });
    });
  });
});
