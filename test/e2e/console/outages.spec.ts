import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ExecutionView } from '#libs/payloads';
import { createApiKey } from '../../../apps/migrate/src/api-keys.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { Deployment } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';
import { CHROMIUM, openBrowser } from './browser.js';
import { openMovableAddress, type MovableAddress } from './movable-address.js';

const SCOPES = [
  'executions:read',
  'executions:write',
  'audit:read',
  'agents:read',
  'approvals:decide',
  'admin',
];

describeWithProgram(CHROMIUM, 'the console while services end', () => {
  let deployment: Deployment;
  let address: MovableAddress;
  let first: Awaited<ReturnType<Deployment['startApi']>>;
  let api: ApiClient;
  let apiKey: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    deployment = await Deployment.open('postgres', { AUTH: 'api-key' });
    const database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script'`);
    await database.end();
    apiKey = await makeKey('browser', SCOPES);
    [first, browser] = await Promise.all([deployment.startApi(), openBrowser()]);
    address = await openMovableAddress(first.url);
    api = new ApiClient(address.url, apiKey);
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await address.close();
    await deployment.close();
  });

  const makeKey = (name: string, scopes: string[]) =>
    createApiKey(deployment.databaseUrl, { tenantId: 'default', name, scopes });

  /** Marks the page: a page that is loaded anew has no mark. */
  const mark = () => page.evaluate(() => Object.assign(globalThis, { isMarked: true }));
  const isMarked = () => page.evaluate(() => 'isMarked' in globalThis);

  it('signs a browser in by a key, and keeps no secret in its storage', async () => {
    await page.goto(`${address.url}/console/runs`);
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    const { origins } = await context.storageState();
    const ofTab = await page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
    const kept = JSON.stringify(origins) + ofTab;
    const secret = apiKey.split('_').at(-1) ?? apiKey;
    expect(kept).not.toContain(secret);
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(cookie?.value).not.toContain(secret);
    expect(await page.evaluate<string>('document.cookie')).toBe('');
  });

  it('shows the second attempt of a run whose worker was killed, without being loaded anew', async () => {
    const victim = await deployment.startWorker();
    const hangsOnce = { on: { first: 1 }, fault: { kind: 'hang_before_headers' } };
    const { id } = await api.submit({ input: scripted({ faults: [hangsOnce], text: 'here you are' }) });
    await page.goto(`${address.url}/console/runs/${id}`);
    await mark();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('Attempt 1').first().waitFor();
    await waitFor(async () => (await api.get<ExecutionView>(`/api/executions/${id}/`)).status === 'running', {
      description: 'the run to be under way',
    });
    await deployment.startWorker();
    await victim.kill();
    await timeline.getByText('Attempt 2').first().waitFor({ timeout: 120_000 });
    await page.getByText('Completed', { exact: true }).first().waitFor();
    expect(await isMarked()).toBe(true);
  });

  it('goes on by itself after the server was replaced', async () => {
    await page.goto(`${address.url}/console/runs`);
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await mark();
    const second = await deployment.startApi();
    await first.process.kill();
    address.moveTo(second.url);
    const { id } = await api.submit({ input: scripted({ text: 'after the restart' }) });
    await page
      .getByRole('row')
      .filter({ hasText: id.slice(-8) })
      .filter({ hasText: 'Completed' })
      .waitFor();
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    expect(await isMarked()).toBe(true);
  });

  it('asks for a key again once the one that it came with is revoked', async () => {
    const operator = new ApiClient(address.url, await makeKey('operator', ['admin']));
    const { data } = await operator.get<{ data: { id: string; name: string }[] }>('/api/api-keys/');
    const own = data.find(({ name }) => name === 'browser');
    const answer = await operator.post(`/api/api-keys/${own?.id}/revoke/`, {});
    expect(answer.ok).toBe(true);
    await page.getByRole('heading', { name: 'Sign in to Capstan' }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'the key was revoked' }).waitFor();
  });

  it('is where it was after a new sign-in, and says nothing of an end that its person wanted', async () => {
    const place = page.url();
    await page.getByLabel('API key').fill(await makeKey('another', SCOPES));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect(page.url()).toBe(place);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
