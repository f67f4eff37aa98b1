import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ApiClient } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { Deployment } from '../../support/services/deployment.js';
import { accessibilityFaults } from './accessibility.js';
import { CHROMIUM, openBrowser, watchViolations } from './browser.js';

const HOSTILE = 'Greeter <img src=x onerror=alert(1)> \u202Eabc';

describeWithProgram(CHROMIUM, 'agents and tools in the console of a running service', () => {
  let deployment: Deployment;
  let api: ApiClient;
  let url: string;
  let browser: Browser;
  let page: Page;
  let violations: string[];
  let agentId: number;

  beforeAll(async () => {
    deployment = await Deployment.open('postgres');
    [{ url }, browser] = await Promise.all([deployment.startWhole(), openBrowser()]);
    api = new ApiClient(url);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    violations = await watchViolations(page);
  });
  afterAll(async () => {
    await browser.close();
    await deployment.close();
  });

  const instruction = () => page.getByRole('textbox', { name: 'Instruction' });
  const save = () => page.getByRole('button', { name: 'Save' }).click();

  it('makes an agent, and marks the fields of a refused one', async () => {
    await page.goto(`${url}/console/agents`);
    await page.getByRole('link', { name: 'salesAgent' }).waitFor();
    await page.getByRole('button', { name: 'New agent' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
    await page.getByRole('combobox', { name: 'Model configuration' }).selectOption({ index: 1 });
    await instruction().fill('You greet people.');
    await page.getByRole('spinbutton', { name: 'Maximum iterations' }).fill('99');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('must be from 1 to 30').first().waitFor();

    await page.getByRole('spinbutton', { name: 'Maximum iterations' }).fill('3');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/agents\/\d+$/);
    agentId = Number(page.url().split('/').at(-1));
    await page.getByText(/^version 1,/).waitFor();
  });

  it('saves a version, shows its prompt, compares it with the one before, and restores that', async () => {
    await instruction().fill('You greet people in verse.');
    await page.getByRole('combobox', { name: 'Strategy' }).selectOption('gpt5_react');
    await save();
    await page.getByText(/^version 2,/).waitFor();

    await page.getByRole('tab', { name: 'Prompt' }).click();
    await page.getByText('<persistence>').waitFor();

    await page.getByRole('tab', { name: 'Versions' }).click();
    const changes = page.getByRole('group', { name: 'Changes of the instruction' });
    await changes.getByText('You greet people in verse.').waitFor();
    await page.getByRole('button', { name: /^Version 1/ }).click();
    await page.getByRole('button', { name: 'Restore …' }).click();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText(/^version 3,/).waitFor();
    expect(await api.get(`/api/agents/${agentId}/`)).toMatchObject({ system_prompt: 'You greet people.' });
  });

  it('loses nothing that was typed when another page has saved a version', async () => {
    await page.getByRole('tab', { name: 'Edit' }).click();
    await instruction().fill('You greet all people.');
    await fetch(`${url}/api/agents/${agentId}/`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Renamed' }),
    });
    await save();
    await page.getByText('Version 4 was saved since you opened it').waitFor();
    expect(await instruction().inputValue()).toBe('You greet all people.');

    await page.getByRole('button', { name: 'Put my changes on version 4' }).click();
    await save();
    await page.getByText(/^version 5,/).waitFor();
    expect(await api.get(`/api/agents/${agentId}/`)).toMatchObject({
      name: 'Renamed',
      system_prompt: 'You greet all people.',
    });
  });

  it('keeps parameters as JSON until they are right, and asks before they are lost', async () => {
    await page.getByRole('group', { name: 'Strategy and parameters: view' }).getByText('JSON').click();
    const editor = page.getByRole('textbox', { name: 'Strategy and parameters as JSON' });
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{"maximum_iterations": j');
    await page.getByRole('button', { name: 'Line 1' }).waitFor();
    await page.getByRole('link', { name: 'Tools', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await editor.textContent()).toContain('"maximum_iterations": j');

    await page.getByRole('link', { name: 'Tools', exact: true }).click();
    await page.getByRole('button', { name: 'Leave, and lose the changes' }).click();
    await page.getByRole('heading', { name: 'Tools' }).waitFor();
  });

  it('draws the steps of a pipeline, which a keyboard reaches', async () => {
    const steps = [
      { name: 'find', kind: 'tool', tool: 'search_items', arguments: { query: '{{/input}}' } },
      {
        ...{ name: 'choose', kind: 'branch', otherwise: 'end' },
        cases: [{ when: { value: '/steps/find/items/0', exists: true }, then: 'offer' }],
      },
      { name: 'check', kind: 'llm', prompt: 'Check it.', tools: [] },
      { name: 'offer', kind: 'llm', prompt: `${HOSTILE} {{/steps/find}}`, tools: [] },
    ];
    const made = await api.post('/api/agents/', {
      ...{ name: 'Offer desk', usecase_type: 'CUSTOM', llm: 1, config: { steps } },
      tools: { builtin: ['search_items'] },
    });
    const { id } = (await made.json()) as { id: number };
    await page.goto(`${url}/console/agents/${id}`);
    await page.getByRole('tab', { name: 'Pipeline' }).click();
    const drawing = page.getByRole('list', { name: 'Steps' });
    await drawing.getByRole('button', { name: /find/ }).first().waitFor();
    expect(await drawing.getByRole('listitem').allInnerTexts()).toEqual([
      'Input of the run',
      expect.stringMatching(/find[^]*Tool: search_items/),
      expect.stringMatching(/choose[^]*If \/steps\/find\/items\/0 is there → offer[^]*Otherwise → end/),
      expect.stringContaining('check'),
      expect.stringMatching(/offer[^]*Reads find/),
      'Answer',
    ]);
    for (let step = 1; step <= 4; step += 1) await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Step offer' }).getByText('img src=x').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Step offer' }).waitFor({ state: 'detached' });
    await page.goto(`${url}/console/tools`);
  });

  it('registers a tool server, probes it, and tries one of its tools', async () => {
    await page.getByRole('button', { name: 'New server' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('own');
    await page.getByRole('combobox', { name: 'Protocol' }).selectOption('builtin');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'Probe', exact: true }).click();
    const found = page.getByRole('list', { name: 'Tools of the server' });
    await found.getByRole('link', { name: 'search_items' }).click();
    await page.getByRole('textbox', { name: 'query (required)' }).fill('tomatoes');
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('Succeeded').waitFor();
  });

  it('never shows a text that was stored as a secret', async () => {
    const config = { url: 'https://crm.example.com/mcp', headers_template: { 'X-Key': 'very-secret' } };
    const created = await api.post('/api/mcp-servers/', { name: 'crm', type: 'http', config });
    const { id } = (await created.json()) as { id: string };
    await page.goto(`${url}/console/tools/servers/${id}`);
    const text = page.getByRole('textbox', { name: 'Text of header X-Key' });
    expect(await text.inputValue()).toBe('');
    await page.getByRole('spinbutton', { name: 'Calls at once' }).fill('2');
    await save();
    await page.getByText('crm is saved').waitFor();
    expect(await api.get(`/api/mcp-servers/${id}/`)).toMatchObject({
      config: { headers_template: { 'X-Key': null } },
      limits: { concurrency: 2 },
    });
  });

  it('shows the address of a consent for as long as its user is named', async () => {
    const auth = {
      ...{ type: 'oauth', grant: 'authorization_code', issuer: 'https://login.example.com' },
      ...{ client_id: 'capstan', client_auth: 'none', redirect_uri: 'https://shop.example.com/back' },
    };
    const config = { url: 'https://calendar.example.com/mcp', auth };
    const created = await api.post('/api/mcp-servers/', { name: 'calendar', type: 'http', config });
    expect(created.status).toBe(201);
    const address = 'https://login.example.com/authorize?state=of-mara';
    await page.route('**/api/connections/', (route) =>
      route.fulfill({ status: 201, json: { authorize_url: address } }),
    );
    await page.goto(`${url}/console/tools?tab=connections`);
    await page.getByRole('button', { name: 'Connect a user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User').fill('mara');
    await dialog.getByRole('button', { name: 'Begin' }).click();
    await dialog.getByText(address).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByLabel('User').fill('noa');
    expect(await dialog.getByText(address).count()).toBe(0);
    await page.unroute('**/api/connections/');
  });

  it.each([
    ['agents', 'salesAgent'],
    ['agents/1', 'Sub-agents'],
    ['agents/2?tab=versions', 'Version 1'],
    ['tools', 'mcp__own__refund'],
    ['tools?tab=servers', 'own'],
    ['tools?tab=connections', 'Connect a user …'],
    ['tools/mcp__own__search_items', 'Try it'],
    ['tools/servers/new', 'Limits'],
  ])('%s is accessible in both themes', async (path, mark) => {
    await page.goto(`${url}/console/${path}`);
    await page.getByText(mark).or(page.getByTitle(mark)).first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('ran nothing of what people wrote, and kept to the content security policy', () => {
    expect(violations).toEqual([]);
  });
});
