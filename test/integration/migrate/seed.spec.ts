import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentStore, createDataSource, LlmStore, seedAgents } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { seed } from '../../../apps/migrate/src/seed.js';
import { createTenant } from '../../../apps/migrate/src/tenants.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { waitFor } from '../../support/services/wait-for.js';
import type { TestDatabase } from '../../support/services/test-database.js';

const TENANT = 'default';
/** Transactions of this database that wait for an advisory lock. */
const WAITING = `SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const OTHER_MODEL = { provider: 'openai', model: 'another-model' };

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createSeededDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const agents = () => new AgentStore(dataSource);
const llms = () => new LlmStore(dataSource);
const again = (): Promise<readonly string[]> => seed(database.url, TENANT, OTHER_MODEL);

/** The first agent and the model configuration of the seed. */
async function seeded() {
  const { rows } = await agents().list(TENANT, { limit: 10, includeInactive: true });
  const agent = await agents().find(TENANT, rows[0]?.id ?? 0);
  const llm = await llms().find(TENANT, agent?.view.llm ?? 0);
  return { count: rows.length, agent: agent?.view, llm: llm?.view };
}

describe('the seed of a database that is in use', () => {
  it('follows DEFAULT_MODEL while the configuration is unchanged, over any number of runs', async () => {
    const before = await seeded();
    expect(before.llm?.model).not.toBe(OTHER_MODEL.model);

    const [first, second] = [await again(), await again()];

    expect([first, second]).toEqual([[], []]);
    const after = await seeded();
    expect(after.llm).toEqual({ ...before.llm, model: OTHER_MODEL.model });
    expect(after.agent).toEqual(before.agent);
  });

  it('makes nothing twice when two run at once', async () => {
    // The tenant exists already; creating it would already make one seed wait for the other.
    await createTenant(database.url, 'fresh');
    const agent = { name: 'salesAgent', usecaseType: 'BASIC_CHAT', systemPrompt: '', tools: [] } as const;
    let second: Promise<unknown> = Promise.resolve();
    await dataSource.transaction(async (manager) => {
      await seedAgents(manager, 'fresh', OTHER_MODEL, [agent]);
      second = dataSource.transaction((other) => seedAgents(other, 'fresh', OTHER_MODEL, [agent]));
      const waits = waitFor(async () => (await manager.query<unknown[]>(WAITING)).length > 0, {
        description: 'the second one to wait for the first',
      });
      await Promise.race([second, waits]);
    });
    await second;

    const [made, models] = [
      await agents().list('fresh', { limit: 10, includeInactive: true }),
      await llms().list('fresh', { limit: 10 }),
    ];
    expect(made.rows.map(({ name }) => name)).toEqual(['salesAgent']);
    expect(models.rows).toHaveLength(1);
  });

  it('leaves changed agents, tools and models as they are, and reports them', async () => {
    const { agent, llm } = await seeded();
    const change = { system_prompt: 'Answer in verse.', tools: { builtin: ['search_items'] } };
    await agents().update(TENANT, agent?.id ?? 0, change, { expected: null, onlyActive: false });
    await llms().update(TENANT, llm?.id ?? 0, { model: 'our-own-model' }, () => null);
    const changed = await seeded();
    expect(changed.agent?.system_prompt).toBe('Answer in verse.');

    const kept = await again();

    expect(kept).toEqual(['model configuration "default"', 'agent "salesAgent"']);
    expect(await seeded()).toEqual(changed);
  });
});

describe('the model that a seeded agent names', () => {
  const KNOWN = { provider: 'anthropic', model: 'haiku' };
  const seedWith = (model: string): Promise<readonly string[]> =>
    dataSource.transaction((manager) =>
      seedAgents(
        manager,
        'models',
        OTHER_MODEL,
        [{ name: 'guide', usecaseType: 'BASIC_CHAT', systemPrompt: '', model, tools: [] }],
        (name) => (name === KNOWN.model ? KNOWN : null),
      ),
    );
  const modelOfGuide = async () => {
    const { rows } = await agents().list('models', { limit: 10, includeInactive: true });
    return (await llms().find('models', rows[0]?.llm ?? 0))?.view;
  };

  it('makes a configuration of a known model, once', async () => {
    await seedWith('haiku');
    await seedWith('haiku');
    expect(await modelOfGuide()).toMatchObject({ name: 'haiku', ...KNOWN });
    expect((await llms().list('models', { limit: 10 })).rows).toHaveLength(2);
  });

  it('is a configuration of the tenant first', async () => {
    const { id = 0 } = (await modelOfGuide()) ?? {};
    await llms().update('models', id, { model: 'our-own-model' }, () => null);
    await seedWith('haiku');
    expect(await modelOfGuide()).toMatchObject({ id, model: 'our-own-model' });
  });

  it('is refused if it is neither, with the names of agent and model, and nothing is written', async () => {
    const before = await modelOfGuide();
    await expect(seedWith('haikuu')).rejects.toThrow(
      'the agent "guide" names the model "haikuu": the tenant "models" has no model configuration of that name',
    );
    expect(await modelOfGuide()).toEqual(before);
  });
});
