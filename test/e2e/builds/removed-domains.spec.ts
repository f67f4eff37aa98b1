import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as domains from '#libs/domains';
import type { ExecutionView } from '#libs/payloads';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { ServiceCopy } from '../../support/services/service-copy.js';

const TIMEOUT_MS = 300_000;
const LISTED = Object.values(domains);

/** The paths that a domain adds to the API, as they stand in its document. */
const pathsOf = ({ routes, lists }: (typeof LISTED)[number]): string[] =>
  [...routes, ...lists].map(({ path }) => `/api/${path.replace(/:(\w+)/g, '{$1}')}/`);

/** Each domain is removed alone: the service runs on without it, on the same database. */
describe.each(LISTED.map(({ name }): [string, string[]] => [name, [name]]))(
  'the service without %s',
  (_what, removed) => {
    const gone = LISTED.filter(({ name }) => removed.includes(name));
    const left = LISTED.filter(({ name }) => !removed.includes(name));
    let copy: ServiceCopy;
    let deployment: Deployment;
    let api: ApiClient;

    beforeAll(async () => {
      copy = await ServiceCopy.make();
      for (const name of removed) await copy.removeDomain(name);
      await copy.build();
      const database = await createSeededDatabase();
      const DOMAINS = left.map(({ name }) => name).join(',');
      await copy.migrate({ DATABASE_URL: database.url, DEFAULT_MODEL: 'sim-script', DOMAINS }, '--seed');
      deployment = await Deployment.on(database, 'postgres', { DOMAINS });
      const { url } = await deployment.startApi({}, copy.program('service'));
      api = new ApiClient(url);
    }, TIMEOUT_MS);
    afterAll(async () => {
      await deployment.close();
      await copy.remove();
    });

    it('has none of its routes and data, and all of the others', async () => {
      const document = await api.get<{ paths: object; components: object }>('/openapi.json');
      const paths = Object.keys(document.paths);
      for (const path of gone.flatMap(pathsOf)) expect(paths).not.toContain(path);
      for (const path of left.flatMap(pathsOf)) expect(paths).toContain(path);
      const text = JSON.stringify(document);
      for (const { messageData } of gone)
        for (const key of [...Object.keys(messageData.input), ...Object.keys(messageData.stored)])
          expect(text).not.toContain(`"${key}"`);
    });

    it('runs an agent that has none of its tools', async () => {
      const made = await api.post('/api/llms/', { name: 'script', model: 'sim-script' });
      const { id: llm } = (await made.json()) as { id: number };
      const fields = { name: 'Plain', usecase_type: 'BASIC_CHAT', llm };
      const { id } = (await (await api.post('/api/agents/', fields)).json()) as { id: number };
      const body = { input: scripted({ text: 'It works.' }) };
      const accepted = (await (await api.post(`/api/agents/${id}/execute/`, body)).json()) as ExecutionView;
      expect(await api.settled(accepted.id)).toMatchObject({
        status: 'completed',
        result: { message: { content: 'It works.' } },
      });
    });

    it('refuses clearly what asks for it: its tools when an agent is written, its agents when they run', async () => {
      const tool = gone.flatMap((domain) => domain.tools({ manager: {} as never }))[0]?.name;
      const wrong = await api.post('/api/agents/', {
        ...{ name: 'Wrong', usecase_type: 'BASIC_CHAT', llm: 1 },
        tools: { builtin: [tool] },
      });
      expect([wrong.status, await wrong.json()]).toEqual([
        400,
        expect.objectContaining({
          detail: expect.stringMatching(/^tools\.builtin\.0: must be the name of a tool/),
        }),
      ]);
      expect(tool).toBeDefined();
      const agents = await api.get<{ id: number; name: string }[]>('/api/agents/');
      const orphan = agents.find(({ name }) => name === gone.flatMap((domain) => domain.agents)[0]?.name);
      const body = { input: scripted({ text: 'never said' }) };
      const accepted = await api.post(`/api/agents/${orphan?.id}/execute/`, body);
      const view = await api.settled(((await accepted.json()) as ExecutionView).id);
      expect(view).toMatchObject({ status: 'failed', error: { code: 'VALIDATION_ERROR' } });
    });
  },
);
