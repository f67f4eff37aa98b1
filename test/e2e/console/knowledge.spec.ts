import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ApiClient } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { Deployment } from '../../support/services/deployment.js';
import { WebhookReceiver } from '../../support/services/webhook-receiver.js';
import { accessibilityFaults } from './accessibility.js';
import { CHROMIUM, openBrowser, watchViolations } from './browser.js';

const HOSTILE = '<img src=x onerror=alert(1)> [a](javascript:alert(2))';
const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

describeWithProgram(CHROMIUM, 'knowledge, memory and webhooks in the console', () => {
  let folder: string;
  let deployment: Deployment;
  let receiver: WebhookReceiver;
  let api: ApiClient;
  let url: string;
  let browser: Browser;
  let page: Page;
  let violations: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'documents-'));
    deployment = await Deployment.open('postgres', { DOCUMENTS_ROOT: folder });
    [{ url }, browser, receiver] = await Promise.all([
      deployment.startWhole(),
      openBrowser(),
      WebhookReceiver.listen(),
    ]);
    api = new ApiClient(url);
    // A toast that fades in has less contrast for a moment.
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    violations = await watchViolations(page);
  });
  afterAll(async () => {
    await browser.close();
    await deployment.close();
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  const button = (name: string) => page.getByRole('button', { name });
  const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text });

  it('takes files into a datasource and finds their passages, with the words that match', async () => {
    await page.goto(`${url}/console/knowledge`);
    await page.getByText('No datasources yet').waitFor();
    await button('New datasource').click();
    await page.getByLabel('Name').fill('handbook');
    await page.getByLabel('Model configuration').selectOption({ index: 1 });
    await page.getByLabel('Embedding model').fill('sim-words');
    await page.getByLabel('Dimensions').fill('64');
    await page.getByLabel('Overlap tokens').fill('400');
    await button('Make it').click();
    await page.getByRole('alert').filter({ hasText: 'chunk_tokens' }).waitFor();
    await page.getByLabel('Overlap tokens').fill('40');
    await button('Make it').click();

    await page.getByText('No documents yet').waitFor();
    await page
      .getByLabel('Files to upload')
      .setInputFiles([file('parcels.txt', `Parcels go out at noon. ${HOSTILE}`), file('empty.txt', '')]);
    await rowOf('parcels.txt').filter({ hasText: 'Ready' }).waitFor();
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText('Ready').waitFor();
    await uploads.getByText('Failed').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Search' }).click();
    await page.getByLabel('Question').fill('When do parcels go?');
    await page.getByLabel('Question').press('Enter');
    const passages = page.getByRole('list', { name: 'Passages' });
    await passages.getByText('Words: parcels, go').waitFor();
    expect(await passages.locator('mark').allTextContents()).toEqual(['Parcels', 'go']);
    expect(await accessibilityFaults(page)).toEqual([]);

    await passages.getByRole('link', { name: 'parcels.txt' }).click();
    const chunk = page.getByRole('list', { name: 'Chunks' }).locator('[aria-current]');
    expect(await chunk.textContent()).toContain(HOSTILE);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('ingests a document again, and deletes it once a person has agreed', async () => {
    await button('Ingest again').click();
    await page.getByText('2, searched').waitFor();
    await button('Delete …').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('parcels.txt is deleted').waitFor();
    await rowOf('empty.txt').waitFor();
    await rowOf('parcels.txt').waitFor({ state: 'detached' });
  });

  it('writes, changes and forgets what is remembered of an executor', async () => {
    await page.goto(`${url}/console/memory`);
    await page.getByText('No memories yet').waitFor();
    await button('Write a memory').click();
    await page.getByLabel('Executor', { exact: true }).last().fill('17');
    await page.getByLabel('Text').fill(HOSTILE);
    await button('Write it').click();
    const inspector = page.getByRole('complementary', { name: 'Memory' });
    await inspector.getByLabel('Text').fill('Prefers noon.');
    await inspector.getByRole('button', { name: 'Save' }).click();
    await rowOf('Prefers noon.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByTitle('Only memories of 17').click();
    await button('Forget 17 …').click();
    await button('Forget everything').click();
    await page.getByText('No memory matches the filters').waitFor();
    expect(await api.get('/api/memories/')).toMatchObject({ data: [] });
  });

  it('makes an endpoint and shows its secret until it is stored', async () => {
    await page.goto(`${url}/console/webhooks`);
    await page.getByText('No endpoints yet').waitFor();
    await button('New endpoint').click();
    await page.getByLabel('URL').fill('ftp://example.com/hook');
    await button('Make it').click();
    await page.locator('[aria-invalid]').waitFor();
    await page.getByLabel('URL').fill(receiver.url);
    await button('Make it').click();
    await page.getByText(/^whsec_/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await button('It is stored').click();
    await page.getByText(/^whsec_/).waitFor({ state: 'detached' });
  });

  it('shows what was sent and answered, and sends all deliveries of a filter again', async () => {
    receiver.answers.push(...Array.from({ length: 20 }, () => 500));
    receiver.body = `<h1>broken</h1> ${HOSTILE}`;
    const { id } = await api.submit({ input: `2 cases of roma tomatoes ${HOSTILE}` });
    await api.settled(id);
    await page.goto(`${url}/console/webhooks?tab=deliveries&event=execution.completed&status=pending`);
    await page.getByRole('row').nth(1).getByRole('button').click();
    const delivery = page.getByRole('complementary', { name: 'Delivery' });
    await delivery.getByText('HTTP 500').waitFor();
    await delivery.getByText('execution.completed').first().waitFor();
    await delivery.getByText('HTTP 500').first().click();
    const answer = delivery.getByRole('region', { name: 'Answer' });
    await answer.getByText(`<h1>broken</h1> ${HOSTILE}`, { exact: true }).waitFor();
    await delivery.getByRole('region', { name: 'Headers of the request' }).getByText('webhook-id:').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    receiver.answers.length = 0;
    await button('Send all of these again …').click();
    await button('Send 1 again').click();
    await page.getByText('1 of 1 accepted.').waitFor();
    await button('Close').last().click();
    await delivery.getByText('HTTP 204').waitFor();

    await delivery.getByRole('link', { name: 'endpoint 1' }).click();
    await rowOf('Delivered').waitFor();
    await button('Send a test event').click();
    await delivery.getByText('webhook.test').first().waitFor();
    await delivery.getByText('HTTP 204').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await button('Switch off').click();
    await page.getByText('Off', { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('ran nothing of what was written', () => {
    expect(violations).toEqual([]);
  });
});
