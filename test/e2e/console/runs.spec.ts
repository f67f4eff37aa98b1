import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { ExecutionWithRequest } from '#libs/payloads';
import { ApiClient } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { Deployment } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';
import { accessibilityFaults } from './accessibility.js';
import { CHROMIUM, openBrowser, watchViolations } from './browser.js';
import { HOSTILE_TEXTS } from './hostile-texts.js';

const ORDER = '5 cases of roma tomatoes';
const NEEDS_PERSON = { require_approval: ['save_order_draft'] };

describeWithProgram(CHROMIUM, 'runs, one run and the inbox in the console', () => {
  let deployment: Deployment;
  let api: ApiClient;
  let url: string;
  let browser: Browser;
  let page: Page;
  let violations: string[];

  beforeAll(async () => {
    deployment = await Deployment.open('postgres');
    [{ url }, browser] = await Promise.all([deployment.startWhole(), openBrowser()]);
    api = new ApiClient(url);
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    violations = await watchViolations(page);
  });
  afterAll(async () => {
    await browser.close();
    await deployment.close();
  });

  const read = (id: string) => api.get<ExecutionWithRequest>(`/api/executions/${id}/`);
  const rowOf = (id: string) => page.getByRole('row').filter({ hasText: id.slice(-8) });

  it('shows a new run by itself, and how it ends', async () => {
    await page.goto(`${url}/console/runs`);
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    const { id } = await api.submit({ input: ORDER });
    await rowOf(id).filter({ hasText: 'Completed' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('keeps named filters and chosen columns in the browser', async () => {
    await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Failed' }).click();
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await page.getByLabel('Name of these filters').fill('What failed');
    await page.keyboard.press('Enter');
    await page.getByTitle('Columns').click();
    await page.getByLabel('Model', { exact: true }).check();
    await page.keyboard.press('Escape');
    await page.goto(`${url}/console/runs`);
    await page.getByRole('columnheader', { name: 'Model' }).waitFor();
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await page.getByRole('button', { name: 'What failed', exact: true }).click();
    await page.waitForURL(/status=failed/);
    await page.getByRole('heading', { name: 'No run matches the filters' }).waitFor();
    await page.getByRole('button', { name: 'What failed' }).click();
    await page.getByRole('button', { name: 'Delete “What failed”' }).click();
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  });

  it('narrows the list by what is typed, and says what is wrong with it', async () => {
    const { id } = await api.submit({ input: ORDER, metadata: { ticket: 'T-7' } });
    await api.settled(id);
    await page.goto(`${url}/console/runs`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const menu = page.getByRole('dialog', { name: 'More filters' });
    await menu.getByLabel('Metadata').fill('ticket');
    await menu.getByRole('button', { name: 'Apply' }).click();
    await menu.getByText('must be a key, = and a value').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await menu.getByLabel('Metadata').fill('ticket=T-7');
    await menu.getByLabel('Tool').fill('search_items');
    await page.keyboard.press('Enter');
    await page.waitForURL(/meta=ticket/);
    await rowOf(id).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByTitle('ticket=T-7').click();
    await page.waitForURL((next) => !next.search.includes('ticket'));
  });

  it('zooms a timeline by keys, buttons and the pointer', async () => {
    const { id } = await api.submit({ input: ORDER });
    await api.settled(id);
    await page.goto(`${url}/console/runs/${id}`);
    const bars = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
    await bars.filter({ hasText: 'Attempt 1' }).waitFor();
    await page.keyboard.press('+');
    const out = page.getByRole('button', { name: 'Zoom out (-)' }).and(page.locator(':not([aria-disabled])'));
    await out.waitFor();
    await page.keyboard.press('ArrowLeft');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('0');
    await out.waitFor({ state: 'detached' });
    const axis = await page.getByTitle('Draw over a part to zoom in on it').boundingBox();
    if (axis === null) throw new Error('there is no axis');
    const y = axis.y + axis.height / 2;
    await page.mouse.move(axis.x + axis.width * 0.2, y);
    await page.mouse.down();
    await page.mouse.move(axis.x + axis.width * 0.6, y);
    await page.mouse.up();
    await out.click();
  });

  it('shows a pipeline by its steps, each in a lane of its own', async () => {
    const step = { kind: 'llm', prompt: 'About {{/item}}', tools: [] };
    const find = {
      name: 'find',
      kind: 'tool',
      tool: 'search_items',
      arguments: { query: 'tomatoes', limit: 3 },
    };
    const describeEach = {
      name: 'describe',
      kind: 'map',
      over: '/steps/find/items',
      do: step,
      concurrency: 2,
    };
    const agent = { name: 'Describer', usecase_type: 'CUSTOM', llm: 1, tools: { builtin: ['search_items'] } };
    const config = { steps: [find, describeEach] };
    const made = await (await api.post('/api/agents/', { ...agent, config })).json();
    const { id: agentId } = made as { id: number };
    const run = await (await api.post(`/api/agents/${agentId}/execute/`, { input: 'x' })).json();
    const { id } = run as { id: string };
    await api.settled(id);
    await page.goto(`${url}/console/runs/${id}`);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    const lane = timeline.getByRole('listitem').filter({ hasText: 'describe3 calls' });
    await lane.getByRole('button', { name: '3 inside' }).waitFor();
    await timeline.getByRole('button', { name: 'describe[2]' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('says where a fallback model takes over: in the timeline, the conversation and the events', async () => {
    const made = async (path: string, body: object): Promise<number> =>
      ((await (await api.post(path, body)).json()) as { id: number }).id;
    const away = await made('/api/llms/', { name: 'Away', model: 'sim-script' });
    const second = await made('/api/llms/', { name: 'Second', model: 'sim-echo' });
    const agentId = await made('/api/agents/', {
      ...{ name: 'Falls back', usecase_type: 'BASIC_CHAT', llm: away, config: { fallbacks: [second] } },
    });
    const faults = [{ fault: { kind: 'server_error', status: 503 } }];
    const script = JSON.stringify({ answers: [{ text: 'never' }], then: 'repeat_last', faults });
    const request = { input: `Hello\n\`\`\`sim-script\n${script}\n\`\`\`` };
    const run = await (await api.post(`/api/agents/${agentId}/execute/`, request)).json();
    const { id } = run as { id: string };
    expect(await api.settled(id)).toMatchObject({ status: 'completed' });

    await page.goto(`${url}/console/runs/${id}`);
    await page.getByRole('list', { name: 'Timeline' }).getByText('Fallback: sim-echo').waitFor();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    const words = 'sim-echo is asked in place of sim-script: the model before it failed in all tries';
    await page.getByRole('list', { name: 'Conversation' }).getByText(words).waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('row').filter({ hasText: words }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('runs an agent again with a changed input, and says which field the service refused', async () => {
    const { id } = await api.submit({ input: ORDER, metadata: { ticket: 'T-42' } });
    await api.settled(id);
    await page.goto(`${url}/console/runs/${id}`);
    await page.getByRole('list', { name: 'Timeline' }).getByText('Attempt 1').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'With changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run it with changes' });
    await dialog.getByLabel('Metadata').fill('{"ticket": 42}');
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Metadata').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Metadata').fill('{"ticket": "T-43"}');
    await dialog.getByLabel('Input').fill('3 bags of onions');
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await page.waitForURL((next) => !next.pathname.endsWith(id));
    const again = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await read(again)).toMatchObject({ input: '3 bags of onions', metadata: { ticket: 'T-43' } });
  });

  it('lets a person decide by keyboard, and goes on to the next call', async () => {
    const executor = { user_id: 'u7', name: 'Mara' };
    const runs = [];
    for (const input of [ORDER, '2 boxes of lemons']) {
      runs.push(await api.submit({ input, executor, options: NEEDS_PERSON }));
    }
    const [approved, refused] = runs.map(({ id }) => id) as [string, string];
    for (const id of [approved, refused]) {
      await waitFor(async () => (await read(id)).status === 'requires_action', {
        description: 'the call to wait',
      });
    }
    await page.goto(`${url}/console/inbox`);
    const calls = page.getByRole('group', { name: /save_order_draft/ });
    await calls.nth(1).waitFor();
    await page.getByText('asked by Mara').first().waitFor();
    await page.getByText('Effect').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await calls.nth(1).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('r');
    await page.getByLabel('Why not?').fill('Not today');
    await page.keyboard.press('Control+Enter');
    expect(await api.settled(approved)).toMatchObject({ status: 'completed' });
    await api.settled(refused);
    const steps = await api.get<{ data: { decisions: { approved: boolean; reason: string }[] }[] }>(
      `/api/executions/${refused}/steps/`,
    );
    expect(steps.data.flatMap(({ decisions }) => decisions)).toMatchObject([
      { approved: false, reason: 'Not today' },
    ]);
  });

  it('takes a press of a button during which the catalogue of tools is read', async () => {
    const { id } = await api.submit({ input: ORDER, options: NEEDS_PERSON });
    await waitFor(async () => (await read(id)).status === 'requires_action', {
      description: 'the call to wait',
    });
    const isCatalogue = ({ pathname }: URL) => pathname === '/api/tools/';
    const release = Promise.withResolvers<undefined>();
    await page.route(isCatalogue, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto(`${url}/console/inbox`);
    const approve = page.getByRole('button', { name: 'Approve' });
    const box = await approve.boundingBox();
    if (box === null) throw new Error('there is no button');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    release.resolve(undefined);
    await page.getByTitle('It changes something; to repeat it changes nothing more.').waitFor();
    expect(await approve.boundingBox()).toEqual(box);
    await page.mouse.up();
    expect(await api.settled(id)).toMatchObject({ status: 'completed' });
    await page.unroute(isCatalogue);
  });

  it('shows hostile contents as text: nothing of them runs', async () => {
    const ids = [];
    for (const text of HOSTILE_TEXTS) {
      ids.push((await api.submit({ input: `${ORDER} ${text}`, metadata: { note: text } })).id);
    }
    for (const id of ids) await api.settled(id);
    await page.goto(`${url}/console/runs`);
    for (const id of ids) await rowOf(id).waitFor();
    for (const id of ids) {
      await page.goto(`${url}/console/runs/${id}?tab=conversation`);
      await page.getByRole('list', { name: 'Conversation' }).getByText(ORDER).first().waitFor();
    }
    await page.goto(`${url}/console/runs/${ids[0]}?tab=events`);
    await page.getByRole('table', { name: 'Events' }).waitFor();
    expect(violations).toEqual([]);
  });
});
