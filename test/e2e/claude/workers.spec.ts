import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { ExecutionView } from '#libs/payloads';
import { scripted } from '../../support/services/api-client.js';
import { ClaudeStandIn } from '../../support/services/claude-stand-in.js';
import { waitFor } from '../../support/services/wait-for.js';
import { EngineWorld } from './engine-world.js';
import { claudeEngine } from './engines.js';

it('a run by an engine waits for a worker that takes such runs, and no attempt is lost', async () => {
  const standIn = new ClaudeStandIn();
  const world = await EngineWorld.start(claudeEngine('a stand-in', standIn.folder, 8));
  const database = new Client({ connectionString: world.deployment.databaseUrl });
  try {
    await database.connect();
    const clerk = await world.makeAgent();
    await world.startWorker({ WORKER_ENGINE_RUNS: 'none' });
    const { id } = await world.submit(clerk, scripted({ text: 'by the engine' }));
    const isLeft = async () => {
      const { rows } = await database.query('SELECT 1 FROM execution WHERE id = $1 AND due_at IS NOT NULL', [
        id,
      ]);
      return rows.length > 0;
    };
    await waitFor(isLeft, { description: 'the worker to leave the run' });
    const plain = await world.submit(1, 'hello');
    expect(await world.api.settled(plain.id)).toMatchObject({ status: 'completed' });
    expect(await world.api.get<ExecutionView>(`/api/executions/${id}/`)).toMatchObject({
      ...{ status: 'queued', attempt: 0 },
    });

    await world.startWorker({ WORKER_ENGINE_RUNS: 'only' });
    expect(await world.api.settled(id)).toMatchObject({
      ...{ status: 'completed', attempt: 1 },
      result: { message: { content: 'by the engine' } },
    });
  } finally {
    await database.end();
    await world.close();
    standIn.close();
  }
});
