import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { ExecutionSummary } from '#libs/payloads';
import { ApiClient } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { Deployment } from '../../support/services/deployment.js';
import { CHROMIUM, openBrowser } from './browser.js';

const RUNS = 200;
const FEW = 12;
/** Requests that are made together before the test begins. */
const AT_ONCE = 20;
/** The answer to every so many a request gets lost after the service has done what it asks. */
const LOST_EVERY = 7;

describeWithProgram(CHROMIUM, 'many runs at once in the console', () => {
  let deployment: Deployment;
  let api: ApiClient;
  let url: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    deployment = await Deployment.open('postgres');
    // Without a worker, so that runs stay as they are.
    [{ url }, browser] = await Promise.all([deployment.startApi(), openBrowser()]);
    api = new ApiClient(url);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  });
  afterAll(async () => {
    await browser.close();
    await deployment.close();
  });

  /** Makes an agent with runs of its own, which no worker takes. */
  async function agentWithRuns(count: number): Promise<number> {
    const { data } = await api.get<{ data: { llm: number }[] }>('/api/agents/?limit=1');
    const fields = { name: `of ${count}`, usecase_type: 'BASIC_CHAT', llm: data[0]?.llm };
    const made = (await (await api.post('/api/agents/', fields)).json()) as { id: number };
    for (let left = count; left > 0; left -= AT_ONCE) {
      await together(Math.min(AT_ONCE, left), () =>
        api.post(`/api/agents/${made.id}/execute/`, { input: 'x' }),
      );
    }
    return made.id;
  }

  const together = (count: number, ask: (index: number) => Promise<Response>) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        expect((await ask(index)).ok).toBe(true);
      }),
    );

  async function idsOf(agent: number, status: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const filter: string = `agent_id=${agent}&status=${status}&limit=100`;
      const answer: { data: ExecutionSummary[]; next_cursor: string | null } = await api.get(
        `/api/executions/?${filter}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      ids.push(...answer.data.map(({ id }) => id));
      cursor = answer.next_cursor;
    }
    return ids;
  }

  /** Opens the dialog of an action for the runs of an agent, and begins it. */
  async function begin(agent: number, item: RegExp, button: string) {
    await page.goto(`${url}/console/runs?agent=${agent}`);
    await page.getByRole('button', { name: 'All of these' }).click();
    await page.getByRole('button', { name: item }).click();
    const dialog = page.getByRole('dialog', { name: /runs$/ });
    await dialog.getByRole('list', { name: 'The first of them' }).getByRole('listitem').nth(5).waitFor();
    await dialog.getByRole('button', { name: button }).click();
    return dialog;
  }

  it('cancels all runs of a filter', async () => {
    const agent = await agentWithRuns(FEW);
    const dialog = await begin(agent, /^Cancel those/, `Cancel ${FEW} runs`);
    await dialog.getByText(`${FEW} cancelled`).waitFor();
    expect(await idsOf(agent, 'cancelled')).toHaveLength(FEW);
  });

  it('stops when asked to, goes on, and doubles no run whose answer was lost', async () => {
    const agent = await agentWithRuns(RUNS);
    const ids = await idsOf(agent, 'queued');
    for (let first = 0; first < RUNS; first += AT_ONCE) {
      await together(AT_ONCE, (index) => api.post(`/api/executions/${ids[first + index]}/cancel/`, {}));
    }
    let asked = 0;
    await page.route('**/retry/', async (route) => {
      asked += 1;
      if (asked % LOST_EVERY !== 0) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    const dialog = await begin(agent, /^Retry those/, `Retry ${RUNS} runs`);
    await dialog.getByText(/Retrying: [1-9]\d* of 200/).waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByText('not begun').waitFor();
    await dialog.getByRole('button', { name: /^Continue with/ }).click();
    await dialog.getByText(`${RUNS} submitted again`).waitFor({ timeout: 120_000 });

    expect(asked).toBeGreaterThan(RUNS);
    expect(await idsOf(agent, 'queued')).toHaveLength(RUNS);
    expect((await idsOf(agent, 'cancelled')).toSorted()).toEqual(ids.toSorted());
  });

  it('stays in view while it stops, however often Esc is pressed, and gives the focus back', async () => {
    const agent = await agentWithRuns(FEW);
    const held: (() => void)[] = [];
    const hold = new Promise<void>((resolve) => held.push(resolve));
    await page.route('**/cancel/', async (route) => {
      await hold;
      await route.continue();
    });
    const dialog = await begin(agent, /^Cancel those/, `Cancel ${FEW} runs`);
    await dialog.getByText(`Cancelling: 0 of ${FEW}`).waitFor();
    for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
    await dialog.getByText('stopping …').waitFor();
    held.forEach((release) => release());
    await dialog.getByText('not begun').waitFor();
    const close = dialog.locator('button:focus', { hasText: 'Close' });
    await close.waitFor();
    await close.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.innerText')).toContain('All of these');
    await page.unroute('**/cancel/');
  });

  it('lists what the service refuses, with its reason', async () => {
    const agent = await agentWithRuns(FEW);
    const problem = { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'the key may not' };
    await page.route('**/cancel/', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        json: { ...problem, code: 'FORBIDDEN', request_id: 'r-1' },
      }),
    );
    const dialog = await begin(agent, /^Cancel those/, `Cancel ${FEW} runs`);
    await dialog.getByText(`${FEW} failed`).waitFor();
    const failures = dialog.getByRole('list', { name: 'Failures' });
    await failures.getByText('the key may not').first().waitFor();
    expect(await failures.getByRole('listitem').count()).toBe(FEW);
  });
});
