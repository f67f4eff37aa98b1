import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { createDataSource } from '#libs/persistence';
import type { QueueBackend } from '../../support/services/deployment.js';
import { insertDatasource } from '../../support/services/insert-datasource.js';
import { waitFor } from '../../support/services/wait-for.js';
import { CrashLane } from './crash-lane.js';
import type { FailpointBoard, Trap } from './failpoint-board.js';
import { giveDocument } from './give-document.js';
import { openWhole } from '../../support/services/open-whole.js';

const HANDBOOK = `# Parcels

Parcels leave the house at noon.

# Vans

Vans are washed on Fridays, and their drivers have coffee.

# Holidays

Nobody works on the first of May.
`;

interface VectorRequest {
  readonly endpoint: string;
  readonly body: { readonly input: readonly string[] };
  /** The faults that hit the request, in which case it was not answered. */
  readonly faults: readonly string[];
  readonly usage: { readonly total_tokens: number } | null;
}

/** A lane with an agent that answers from a handbook, and repeats the prompt of its model. */
export class RetrievalLane {
  private constructor(
    private readonly lane: CrashLane,
    private readonly folder: string,
    private readonly agentId: number,
  ) {}

  static open(backend: QueueBackend): Promise<RetrievalLane> {
    return openWhole(async (begun) => {
      const folder = await mkdtemp(join(tmpdir(), 'handbook-'));
      begun({ close: () => rm(folder, { recursive: true, force: true }) });
      const lane = begun(await CrashLane.open(backend, { DOCUMENTS_ROOT: folder }));
      const { datasourceId, ingestionId } = await giveHandbook(lane, folder);
      await waitFor(() => isReady(lane, ingestionId), { description: 'the handbook' });
      const llm = await made(lane, '/api/llms/', { name: 'Echo', model: 'sim-echo' });
      const config = { datasource_ids: [datasourceId], top_k: 2 };
      const librarian = { name: 'Librarian', usecase_type: 'RAG_CHAT', llm, config };
      return new RetrievalLane(lane, folder, await made(lane, '/api/agents/', librarian));
    });
  }

  get board(): FailpointBoard {
    return this.lane.board;
  }

  async ask(input: string): Promise<string> {
    return (await this.lane.submit({ input }, this.agentId)).id;
  }

  async answerOf(id: string): Promise<unknown> {
    const { status, result, usage } = await this.lane.api.settled(id);
    expect(status).toBe('completed');
    return { content: result?.message.content, citations: result?.citations, retrieval: usage?.retrieval };
  }

  /** Kills the process that is held at the failpoint, after its successor has started. */
  async killAt(trap: Trap): Promise<void> {
    await this.kill(await trap.catch(1));
    this.lane.board.disarm(trap);
  }

  /** Kills the worker once the server has received the question, which it does not answer. */
  async killWhileAsking(): Promise<void> {
    await waitFor(async () => (await this.vectorRequests()).length === 1, { description: 'the question' });
    await this.kill(new Set([this.lane.worker.pid]));
  }

  /** Leaves the next embedding call without an answer. */
  async hangNextVectors(): Promise<void> {
    const fault = { on: { endpoint: 'embeddings', call: 1 }, fault: { kind: 'hang_before_headers' } };
    await this.control('POST', '/faults', { faults: [fault] });
  }

  async forgetRequests(): Promise<void> {
    await this.control('DELETE', '');
  }

  /** The states of an execution's embedding calls, in order, and the sum of their known tokens. */
  async accountOf(id: string): Promise<{ readonly states: readonly string[]; readonly tokens: number }> {
    const { rows } = await this.lane.database.query<{ state: string; total_tokens: string | null }>(
      `SELECT state, total_tokens FROM usage_log WHERE execution_id = $1 AND purpose = 'embedding' ORDER BY round`,
      [id],
    );
    const tokens = rows.reduce((sum, { total_tokens }) => sum + Number(total_tokens ?? 0), 0);
    return { states: rows.map(({ state }) => state), tokens };
  }

  /** Expects that each embedding call the server received has its usage row, with the tokens of its answer. */
  async expectAccounts(id: string, { calls }: { readonly calls: number }): Promise<void> {
    const requests = await this.vectorRequests();
    const { states, tokens } = await this.accountOf(id);
    const answered = requests
      .filter(({ faults }) => faults.length === 0)
      .reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0);
    expect(answered).toBeGreaterThan(0);
    expect([requests.length, states.length, tokens]).toEqual([calls, calls, answered]);
  }

  async close(): Promise<void> {
    await this.lane.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async kill(pids: ReadonlySet<number>): Promise<void> {
    for (const { process } of await this.lane.freezeAndReplace(pids)) await process.kill();
  }

  private async vectorRequests(): Promise<readonly VectorRequest[]> {
    const answer = await this.control('GET', '/requests');
    const { requests } = (await answer.json()) as { readonly requests: readonly VectorRequest[] };
    return requests.filter(({ endpoint }) => endpoint === 'embeddings');
  }

  private control(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.lane.deployment.simulatorUrl}/__control${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  }
}

async function giveHandbook(
  { deployment }: CrashLane,
  folder: string,
): Promise<{ readonly datasourceId: number; readonly ingestionId: string }> {
  const dataSource = await createDataSource({ url: deployment.databaseUrl }).initialize();
  try {
    const datasourceId = await insertDatasource(dataSource, { embedModel: 'sim-embedding' });
    const handbook = { folder, datasourceId, title: 'Parcels', text: HANDBOOK };
    const { ingestionId } = await giveDocument(dataSource, handbook);
    return { datasourceId, ingestionId };
  } finally {
    await dataSource.destroy();
  }
}

async function isReady({ database }: CrashLane, ingestionId: string): Promise<boolean> {
  const { rows } = await database.query<{ state: string; error_text: string | null }>(
    `SELECT state, error_text FROM document_ingestion WHERE id = $1`,
    [ingestionId],
  );
  if (rows[0]?.state === 'failed') throw new Error(`it failed: ${rows[0].error_text ?? ''}`);
  return rows[0]?.state === 'ready';
}

async function made({ api }: CrashLane, path: string, fields: object): Promise<number> {
  const response = await api.post(path, fields);
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: number }).id;
}
