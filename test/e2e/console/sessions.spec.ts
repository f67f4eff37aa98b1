import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page, Route } from 'playwright-core';
import { ApiClient } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { Deployment } from '../../support/services/deployment.js';
import { CHROMIUM, openBrowser, watchViolations } from './browser.js';

const HOSTILE = '2 cases of roma tomatoes <img src=x onerror=alert(1)> [a](javascript:alert(2))';

const NOTE = Buffer.from('Deliver on Friday.');

interface SessionView {
  readonly uuid: string;
  readonly title: string | null;
}

describeWithProgram(CHROMIUM, 'sessions and trials in the console', () => {
  let deployment: Deployment;
  let api: ApiClient;
  let url: string;
  let browser: Browser;
  let page: Page;
  let violations: string[];
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-files-'));
    deployment = await Deployment.open('postgres', { DOCUMENTS_ROOT: folder });
    [{ url }, browser] = await Promise.all([deployment.startWhole(), openBrowser()]);
    api = new ApiClient(url);
    // The accessibility checker opens pages of its own beside this one.
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    violations = await watchViolations(page);
  });
  afterAll(async () => {
    await browser.close();
    await deployment.close();
    await rm(folder, { recursive: true });
  });

  const turn = (number: number) => page.getByRole('article', { name: `Turn ${number}`, exact: true });

  it('a message in Try is a turn, its call is approved in place, and another message goes on', async () => {
    await page.goto(`${url}/console/try`);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Options', { exact: true }).fill('{"require_approval": ["save_order_draft"]}');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: NOTE });
    await page.getByLabel('Stored').waitFor();
    await page.getByLabel(/^Message to/).fill(HOSTILE);
    await page.keyboard.press('Enter');
    await turn(1).getByRole('button', { name: 'Approve' }).click();
    await turn(1).getByText('Completed').waitFor();
    await turn(1).getByText(HOSTILE, { exact: true }).waitFor();
    await turn(1).getByRole('link', { name: 'note.txt' }).waitFor();
    await turn(1)
      .getByRole('button', { name: /save_order_draft/ })
      .waitFor();

    await page.getByLabel('Options', { exact: true }).fill('');
    await page.getByLabel(/^Message to/).fill('Thank you');
    await page.getByRole('button', { name: 'Send' }).click();
    await turn(2).getByText('Completed').waitFor();
  });

  it('one message goes to two versions beside each other, each in a session of its own', async () => {
    await page.goto(`${url}/console/try?agent=1`);
    await page.getByRole('button', { name: 'Compare with …' }).click();
    const second = page.getByRole('region', { name: 'Second side' });
    await patchAgent({ name: 'Order desk' });
    await page.reload();
    await second.getByLabel('Version').selectOption('1');
    await page.getByLabel(/^Message to/).fill('1 case of roma tomatoes');
    await page.keyboard.press('Enter');
    for (const side of ['First side', 'Second side'])
      await page.getByRole('region', { name: side }).getByText('Completed').waitFor();
    await second.getByText('Version 1', { exact: true }).waitFor();

    const { searchParams } = new URL(page.url());
    const [session, session2] = [searchParams.get('session'), searchParams.get('session2')];
    expect(session).not.toBe(session2);
    const path = `/api/executions/?session_uuid=${session2?.replaceAll('"', '') ?? ''}`;
    expect(await api.get(path)).toMatchObject({ data: [{ agent_version: 1 }] });
  });

  it('a session is found, renamed, archived, reset and deleted', async () => {
    const { id, session_uuid: uuid } = await api.submit({ input: 'Keep me', executor: { user_id: 'u-17' } });
    await api.settled(id);
    await page.goto(`${url}/console/sessions?executor=u-17`);
    const row = page.getByRole('row').filter({ hasText: 'Keep me' });
    await row.waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await turn(1).getByText('Keep me', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Change the title' }).click();
    await page.getByLabel('Title').fill('Kept for good');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Change the title' }).waitFor();
    await page.getByRole('heading', { name: /Kept for good/ }).waitFor();
    expect(await api.get<SessionView>(`/api/sessions/${uuid}/`)).toMatchObject({ title: 'Kept for good' });

    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('button', { name: 'Reset …' }).click();
    await page.getByRole('button', { name: 'Reset it' }).click();
    await page.getByText('begins afresh', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('dialog').getByText('Kept for good').waitFor();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
    expect((await fetch(`${url}/api/sessions/${uuid}/`)).status).toBe(404);
  });

  it('reads on by itself where a page holds less than a turn', async () => {
    const { id, session_uuid: uuid } = await api.submit({ input: '2 cases of roma tomatoes' });
    await api.settled(id);
    const { data: steps } = await api.get<{ data: object[] }>(`/api/executions/${id}/steps/`);
    // Pages are cut by their bytes, too: a single message or step may fill one.
    const single = /\/(messages|steps)\/\?/;
    await page.route(single, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, 'limit=1'),
      }),
    );
    await page.goto(`${url}/console/sessions/${uuid}`);
    await turn(1).getByText('2 cases of roma tomatoes', { exact: true }).waitFor();
    await page.goto(`${url}/console/runs/${id}?tab=steps`);
    expect(steps.length).toBeGreaterThan(1);
    await page.getByRole('table', { name: 'Steps' }).getByRole('row').nth(steps.length).waitFor();
    await page.unroute(single);
  });

  it('files of a session are brought, read, replaced and deleted', async () => {
    const { id, session_uuid: uuid } = await api.submit({ input: 'Here is a note' });
    await api.settled(id);
    await page.goto(`${url}/console/sessions/${uuid}`);
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByText('No files yet').waitFor();
    await page.getByLabel('Folder of uploads').fill('reports');
    const give = (text: string) =>
      page
        .getByLabel('Files to upload')
        .setInputFiles({ name: 'may.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await give(HOSTILE);
    await page.getByRole('button', { name: 'reports/may.txt', exact: true }).click();
    const file = page.getByRole('complementary', { name: 'File' });
    await file.getByText(HOSTILE, { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await file.getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('may.txt');

    await give('May: 310 \u001b[31m');
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await file.getByText('May: 310 ␛[31m', { exact: true }).waitFor();
    await give('\0'.repeat(1_048_577));
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByRole('list', { name: 'Uploads' }).getByRole('alert').waitFor();

    await file.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No files yet').waitFor();
    expect(await api.get(`/api/sessions/${uuid}/files/`)).toMatchObject({ data: [] });
  });

  it('a file is not written over that a person has not seen, although the list is read late', async () => {
    const { id, session_uuid: uuid } = await api.submit({ input: 'Here is a note' });
    await api.settled(id);
    const path = `/api/sessions/${uuid}/files/may.txt/`;
    const write = async (text: string) => {
      const body = new FormData();
      body.append('file', new Blob([text]), 'may.txt');
      expect((await fetch(`${url}${path}`, { method: 'PUT', body })).ok).toBe(true);
    };
    await write('first');
    const isList = ({ pathname }: URL) => pathname === `/api/sessions/${uuid}/files/`;
    const release = Promise.withResolvers<undefined>();
    await page.route(isList, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto(`${url}/console/sessions/${uuid}?tab=files&file=may.txt`);
    await page
      .getByLabel('Files to upload')
      .setInputFiles({ name: 'may.txt', mimeType: 'text/plain', buffer: Buffer.from('mine') });
    release.resolve(undefined);
    const question = page.getByRole('dialog', { name: 'Replace may.txt?' });
    await question.waitFor();
    await write('theirs');
    await question.getByRole('button', { name: 'Replace', exact: true }).click();
    const refused = page.getByRole('list', { name: 'Uploads' });
    await refused.getByRole('alert').waitFor();
    expect(await (await fetch(`${url}${path}`)).text()).toBe('theirs');

    const file = page.getByRole('complementary', { name: 'File' });
    await file.getByRole('button', { name: 'Delete …' }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete may.txt?' });
    await write('theirs again');
    await deletion.getByRole('button', { name: 'Delete' }).click();
    await deletion.getByRole('alert').waitFor();
    await deletion.getByRole('button', { name: 'Cancel' }).click();
    await refused.getByRole('button', { name: 'Send again' }).click();
    await question.getByRole('button', { name: 'Replace', exact: true }).click();
    await file.getByText('mine', { exact: true }).waitFor();
    expect(await (await fetch(`${url}${path}`)).text()).toBe('mine');
    await page.unroute(isList);
  });

  it('a new file is refused where another client was faster, and replaces its file once a person says so', async () => {
    const { id, session_uuid: uuid } = await api.submit({ input: 'Here is a note' });
    await api.settled(id);
    const path = `/api/sessions/${uuid}/files/may.txt/`;
    await page.goto(`${url}/console/sessions/${uuid}?tab=files`);
    await page.getByText('No files yet').waitFor();
    const isFile = ({ pathname }: URL) => pathname === path;
    const writeBefore = async (route: Route): Promise<void> => {
      const body = new FormData();
      body.append('file', new Blob(['theirs']), 'may.txt');
      expect((await fetch(`${url}${path}`, { method: 'PUT', body })).status).toBe(201);
      await route.continue();
    };
    await page.route(isFile, writeBefore, { times: 1 });
    await page
      .getByLabel('Files to upload')
      .setInputFiles({ name: 'may.txt', mimeType: 'text/plain', buffer: Buffer.from('mine') });
    const refused = page.getByRole('list', { name: 'Uploads' });
    await refused.getByRole('alert').waitFor();
    expect(await (await fetch(`${url}${path}`)).text()).toBe('theirs');
    await refused.getByRole('button', { name: 'Send again' }).click();
    const question = page.getByRole('dialog', { name: 'Replace may.txt?' });
    await question.getByRole('button', { name: 'Replace', exact: true }).click();
    await refused.waitFor({ state: 'hidden' });
    expect(await (await fetch(`${url}${path}`)).text()).toBe('mine');
  });

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    it.each([
      ['sessions', 'Sessions'],
      ['session', 'Turn 1'],
      ['files', 'Upload files'],
      ['try', 'Message to'],
    ])('%s is accessible', async (screen, sign) => {
      await page.emulateMedia({ colorScheme });
      const { data } = await api.get<{ data: SessionView[] }>('/api/sessions/');
      const session = `sessions/${data[0]?.uuid ?? ''}`;
      const paths = { session, files: `${session}?tab=files`, sessions: 'sessions', try: 'try' };
      await page.goto(`${url}/console/${paths[screen as keyof typeof paths]}`);
      await page.getByText(sign).or(page.getByLabel(sign)).first().waitFor();
      const { violations: faults } = await new AxeBuilder({ page }).analyze();
      expect(faults.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    });
  });

  it('ran nothing of what was written', () => {
    expect(violations).toEqual([]);
  });

  async function patchAgent(fields: object): Promise<void> {
    const answer = await fetch(`${url}/api/agents/1/`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    expect(answer.status).toBe(200);
  }
});
