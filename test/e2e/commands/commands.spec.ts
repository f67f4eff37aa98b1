import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reservePort } from '../../support/services/reserve-port.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shellBlocks, type ShellBlock } from '../../support/documents/shell-blocks.js';
import { ApiClient } from '../../support/services/api-client.js';
import { CheckoutCopy, type EnvironmentAddresses } from '../../support/services/checkout-copy.js';
import { waitFor } from '../../support/services/wait-for.js';

const ROOT = join(import.meta.dirname, '../../..');
/** Set by `npm run docs:test`. */
const WITH_SLOW = process.env['DOCUMENTS'] === 'all';
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/tutorial/first-agent.md',
  ...[
    'agents',
    'clients',
    'files',
    'memory',
    'model-providers',
    'pipelines',
    'security',
    'sessions',
    'tenants',
    'tools',
    'usage',
    'webhooks',
  ].map((name) => `docs/guides/${name}.md`),
  ...['job', 'provider'].map((name) => `docs/contributing/playbooks/${name}.md`),
  ...['approval', 'ask-the-docs', 'chat', 'offer-desk', 'order-entry', 'order-review'].map(
    (name) => `examples/${name}/README.md`,
  ),
  ...['order-workflow', 'support-desk', 'tool-servers'].map((name) => `examples/${name}/README.md`),
];
const STAY = 'npm run quickstart';

let checkout: CheckoutCopy;
let environment: EnvironmentAddresses;
let other: EnvironmentAddresses;
let defaultKey: string | undefined;

beforeAll(async () => {
  checkout = await CheckoutCopy.make();
  await outputOf('git init --quiet && git add --all');
  // The step of a reader without a key of a provider; the file changes no default.
  await checkout.run('cp .env.example .env').exitCode;
  const first = checkout.run(STAY, { ...(await freePorts()), AUTH: 'api-key', HOST: '127.0.0.2' });
  await checkout.taken(1);
  const second = checkout.run(STAY, { ...(await freePorts()), DEFAULT_MODEL: 'sim-echo' });
  [environment, other] = await Promise.all([checkout.environment(1, first), checkout.environment(2, second)]);
  const made = await outputOf('npm run --silent db:migrate -- --create-api-key documents');
  defaultKey = /^csk_\S+$/m.exec(made)?.[0];
}, 600_000);
afterAll(() => checkout.remove(), 120_000);

/** Output of a command in the checkout, which must succeed. */
async function outputOf(text: string): Promise<string> {
  const command = checkout.run(text);
  expect({ exitCode: await command.exitCode, output: command.output }).toMatchObject({ exitCode: 0 });
  return command.output;
}

async function freePorts(): Promise<Record<string, string>> {
  const names = ['PORT', 'WORKER_PORT', 'SIMULATOR_PORT'];
  const ports = await Promise.all(names.map(reservePort));
  return Object.fromEntries(names.map((name, index) => [name, String(ports[index])]));
}

function blocksOf(document: string): ShellBlock[] {
  return shellBlocks(document, readFileSync(join(ROOT, document), 'utf8'));
}

const isRun = ({ word }: ShellBlock): boolean => word === null || (WITH_SLOW && word === 'slow');

/** Documents that need a person's key, with the scope that each of them names. */
const SCOPE_OF_PEOPLE: Readonly<Record<string, string>> = {
  'docs/guides/tenants.md': 'admin',
  'docs/guides/agents.md': 'approvals:decide',
  'docs/tutorial/first-agent.md': 'approvals:decide',
  'examples/approval/README.md': 'approvals:decide',
  'examples/order-entry/README.md': 'approvals:decide',
  'examples/support-desk/README.md': 'approvals:decide',
};

/** Only documents for people get the key of the first start, which has all scopes; the others get a default key. */
function keyFor(document: string): string {
  const key = document in SCOPE_OF_PEOPLE ? environment.apiKey : defaultKey;
  return key ?? '';
}

/** The definitions that documents take from the tutorial, with requests that fail on a refusal. */
const PRELUDE = String.raw`
set -euo pipefail
refusable() { command curl --fail-with-body --max-time 60 "$@"; }
# As docs/guides/security.md says: the key goes to the API and nowhere else.
curl() { case "$*" in *"$API"/*) refusable -H "authorization: Bearer $API_KEY" "$@" ;; *) refusable "$@" ;; esac; }
API=http://localhost:3000
JSON='content-type: application/json'
field() { node -p "JSON.parse(fs.readFileSync(0, 'utf8')).$1"; }
`;

/** Runs the blocks of one document, in order, in one shell. Returns the exit code and the output. */
async function runBlocks(blocks: readonly ShellBlock[]): Promise<{ exitCode: number; output: string }> {
  const script = [
    `export API_KEY=${keyFor(blocks[0]?.document ?? '')}`,
    PRELUDE,
    ...blocks.flatMap(({ document, line, text }) => [`echo '@@ ${document}:${line}'`, text]),
  ].join('\n');
  const local = script
    .replaceAll('http://localhost:3000', environment.api)
    .replaceAll('4020', String(await reservePort()))
    // Keeps requests of a test from a foreign server.
    .replaceAll('https://example.com/hook', environment.receiver ?? '');
  const command = checkout.run(local);
  const exitCode = await command.exitCode;
  return { exitCode, output: command.output };
}

describe('the commands of the documents', () => {
  it.each(DOCUMENTS.filter((document) => blocksOf(document).some(isRun)))(
    'do what %s says',
    async (document) => {
      const { exitCode, output } = await runBlocks(blocksOf(document).filter(isRun));
      expect(exitCode === 0 ? '' : output).toBe('');
    },
    WITH_SLOW ? 1_800_000 : 240_000,
  );

  it('leave no file in the checkout that git shows', async () => {
    expect(await outputOf('git status --porcelain | grep -v "^A  " || true')).toBe('');
  });

  it.each(Object.entries(SCOPE_OF_PEOPLE))('in %s say that they need %s', (document, scope) => {
    expect(readFileSync(join(ROOT, document), 'utf8')).toContain(`\`${scope}\``);
  });

  it('leave no document out', async () => {
    const { filesUnder } = await import('../../architecture/repository-files.js');
    const documents = filesUnder('.')
      .filter(({ path }) => path.endsWith('.md'))
      .filter(({ path, text }) =>
        shellBlocks(path, text).some(({ word }) => word === null || word === 'slow'),
      );
    expect(documents.map(({ path }) => path).toSorted()).toEqual(DOCUMENTS.toSorted());
    const staying = filesUnder('.').flatMap(({ path, text }) =>
      shellBlocks(path, path.endsWith('.md') ? text : '').filter(({ word }) => word === 'stays'),
    );
    expect(new Set(staying.map(({ text }) => text))).toEqual(new Set([STAY]));
  });

  it.each([
    ['asks for a path that is not there', 'curl -s $API/api/agents/1/gone/'],
    ['sends what is refused', 'curl -s $API/api/agents/ -H "$JSON" -d \'{"name": ""}\' | field id'],
    ['names a command that is not there', 'npm run gone'],
    ['takes an id from nowhere', 'curl -s $API/api/executions/$NOWHERE/'],
  ])('would be found wrong where one %s', async (_what, text) => {
    const wrong = { document: 'a.md', line: 1, text, word: null };
    const after = { ...wrong, line: 2, text: 'echo unreached' };
    const { exitCode, output } = await runBlocks([wrong, after]);
    expect({ exitCode, output }).toEqual({
      exitCode: expect.any(Number),
      output: expect.not.stringContaining('unreached'),
    });
    expect(exitCode).not.toBe(0);
  });
});

describe('two quickstarts of one checkout, with different models', () => {
  it('share no database, no queue and no log: no execution crosses over', async () => {
    const environments = [environment, other];
    expect(
      new Set(environments.flatMap(({ api, simulator, database }) => [api, simulator, database])).size,
    ).toBe(6);
    const submitted = await Promise.all(
      environments.map(async ({ api, apiKey }, index) => {
        const client = new ApiClient(api, apiKey);
        const agents = await client.get<{ id: number; name: string }[]>('/api/agents/');
        const agent = agents.find(({ name }) => name === 'salesAgent')?.id ?? 0;
        const inputs = Array.from({ length: 6 }, (_, count) => `crossing ${index}, number ${count}`);
        return Promise.all(
          inputs.map(async (input) => {
            const answer = await client.post(`/api/agents/${agent}/execute/`, { input });
            return (await answer.json()) as { id: string };
          }),
        );
      }),
    );
    for (const [index, { api, apiKey, simulator }] of environments.entries()) {
      const client = new ApiClient(api, apiKey);
      const views = await Promise.all((submitted[index] ?? []).map(({ id }) => client.settled(id, 120_000)));
      expect(views.map(({ status }) => status)).toEqual(views.map(() => 'completed'));
      const seen = await waitFor(
        async () => (await fetch(`${simulator.replace(/\/v1$/, '')}/__control/requests`)).text(),
        { description: 'what the model was asked' },
      );
      const crossing = new Set([...seen.matchAll(/crossing (\d)/g)].map(([, number]) => Number(number)));
      expect([...crossing]).toEqual([index]);
      const foreign = submitted[1 - index] ?? [];
      for (const { id } of foreign) {
        const headers = { authorization: `Bearer ${apiKey}` };
        expect((await fetch(`${api}/api/executions/${id}/`, { headers })).status).toBe(404);
      }
    }
  });

  it('are stopped by npm run quickstart -- --stop, which then finds none', async () => {
    const stop = checkout.run('npm run quickstart -- --stop');
    expect(await stop.exitCode).toBe(0);
    expect(stop.output).toContain('Stopped the quickstart of environment 1');
    expect(stop.output).toContain('Stopped the quickstart of environment 2');
    const again = checkout.run('npm run quickstart -- --stop');
    expect(await again.exitCode).toBe(0);
    expect(again.output).toContain('No quickstart of this checkout runs.');
  });
});
