import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient } from '../../support/services/api-client.js';
import { describeWithDebianPostgres, startDebianPostgres } from '../../support/services/debian-postgres.js';
import { Deployment } from '../../support/services/deployment.js';

describeWithDebianPostgres('PostgreSQL 15 as Debian has it', () => {
  let stop: () => Promise<void>;
  let deployment: Deployment;

  beforeAll(async () => {
    stop = await startDebianPostgres();
    deployment = await Deployment.open('postgres');
  });
  afterAll(async () => {
    await deployment.close();
    await stop();
  });

  it('is migrated, and runs an agent with its tools to the end', async () => {
    const [{ url }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
    const api = new ApiClient(url);
    const { id } = await api.submit({ input: '5 cases of roma tomatoes for Friday, please' });
    expect(await api.settled(id)).toMatchObject({ status: 'completed' });
    expect((await api.events(id)).at(-1)?.event).toBe('result');
    const steps = await api.get<{ data: { status: string }[] }>(`/api/executions/${id}/steps/`);
    expect(steps.data.length).toBeGreaterThan(0);
  });
});
