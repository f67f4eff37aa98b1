import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { scriptModel } from '../../support/services/script-model.js';
import { waitFor } from '../../support/services/wait-for.js';

describe('memories of a user, with the queue in PostgreSQL', () => {
  remembered('postgres');
});
describeWithRedis('memories of a user, with the queue in Redis', () => {
  remembered('redis');
});

interface Memory {
  readonly id: number;
  readonly text: string;
}

function remembered(backend: QueueBackend): void {
  let deployment: Deployment;
  let api: ApiClient;
  let database: Client;

  beforeAll(async () => {
    deployment = await Deployment.open(backend);
    database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script'`);
    await database.query(`UPDATE agent SET config = '{"memory": {"enabled": true}}', tools = '{}'`);
    api = new ApiClient((await deployment.startApi()).url);
    await deployment.startWorker();
  });
  afterAll(async () => {
    await database.end();
    await deployment.close();
  });

  const say = async (input: string, user: string): Promise<string> => {
    const executor = { user_id: user, name: user, email: `${user}@example.com` };
    const { id } = await api.submit({ input, executor });
    await api.settled(id);
    return id;
  };
  const memoriesOf = async (user: string): Promise<readonly Memory[]> =>
    (await api.get<{ data: Memory[] }>(`/api/memories/?executor_id=${user}`)).data;
  const promptOf = async (id: string): Promise<string> => {
    const { rows } = await database.query<{ instruction: string }>(
      `SELECT data ->> 'instruction' AS instruction FROM journal_entry
        WHERE execution_id = $1 AND kind = 'execution_prepared'`,
      [id],
    );
    return rows[0]?.instruction ?? '';
  };
  const remove = async (path: string): Promise<number> =>
    (await fetch(`${api.url}${path}`, { method: 'DELETE' })).status;

  it('are known in the next conversation of that user only, until they are changed or forgotten', async () => {
    const learnt = {
      remember: [{ text: 'Sings in a choir.', said: 'I sing in a choir' }],
      update: [],
      forget: [],
    };
    await scriptModel(
      deployment,
      'I sing in a choir',
      { text: 'How nice.' },
      { text: JSON.stringify(learnt) },
    );
    await scriptModel(
      deployment,
      'Who am I',
      { text: 'You.' },
      { text: '{"remember": [], "update": [], "forget": []}' },
    );
    const first = await say('I sing in a choir.', 'mara');
    const [memory] = await waitFor(
      async () => {
        const found = await memoriesOf('mara');
        return found.length > 0 ? found : null;
      },
      { description: 'something to be learnt' },
    );
    expect(memory).toMatchObject({
      ...{ text: 'Sings in a choir.', origin: 'extraction', agent_id: 1, execution_id: first },
    });

    expect(await promptOf(await say('Who am I?', 'mara'))).toContain('<memory>\n');
    expect(await promptOf(await say('Who am I?', 'mara'))).toContain('\n- Sings in a choir.\n</memory>');
    expect(await promptOf(await say('Who am I?', 'otto'))).not.toContain('choir');
    expect(await memoriesOf('otto')).toEqual([]);

    const path = `/api/memories/${String(memory?.id)}/`;
    const changed = await fetch(`${api.url}${path}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': '"1"' },
      body: JSON.stringify({ text: 'Sings alone.' }),
    });
    expect(changed.status).toBe(200);
    expect(await promptOf(await say('Who am I?', 'mara'))).toContain('- Sings alone.');

    expect(await remove('/api/memories/?executor_id=mara')).toBe(204);
    expect(await memoriesOf('mara')).toEqual([]);
    expect(await promptOf(await say('Who am I?', 'mara'))).not.toContain('<memory>');
    const { rows } = await database.query(
      `SELECT count(*)::int AS calls FROM usage_log WHERE execution_id = $1 AND purpose = 'memory' AND state = 'known'`,
      [first],
    );
    expect(rows).toEqual([{ calls: 1 }]);
  });
}
