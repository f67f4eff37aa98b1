import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { JsonObject } from '#libs/kernel';
import type { ExecutionView } from '#libs/payloads';
import { whenAllRun } from '../../support/selection.js';
import type { ExampleStack } from './example-stack.js';

const ROOT = join(import.meta.dirname, '../../..');
const WORKFLOW = join(ROOT, 'examples/order-workflow/run.ts');
const REVIEW = join(ROOT, 'examples/order-review/run.ts');

/** `orderEntryWorkflow`, its reviewer and `analyzeAgent`, and the programs of their examples. */
export function orderWorkflow(stack: () => ExampleStack): void {
  let folder: string;
  let ids: ReadonlyMap<string, number>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orders-'));
    const agents = await stack().api.get<{ id: number; name: string }[]>('/api/agents/');
    ids = new Map(agents.map(({ id, name }) => [name, id]));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function execute(agent: string, input: string, additional_data: JsonObject): Promise<ExecutionView> {
    const answer = await stack().api.post(`/api/agents/${ids.get(agent) ?? 0}/execute/`, {
      input,
      additional_data,
    });
    expect(answer.status).toBe(202);
    return stack().api.settled(((await answer.json()) as ExecutionView).id);
  }

  async function upload(name: string, content: string | Buffer<ArrayBuffer>): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob([content]), name);
    const answer = await fetch(`${stack().api.url}/api/files/`, { method: 'POST', body: form });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: string }).id;
  }

  interface Report {
    readonly orderRequestId: number;
    readonly readyLines: number;
    readonly openLines: number;
    readonly review: { readonly verdict: string; readonly findings: readonly object[] };
  }
  const reportOf = ({ result }: ExecutionView): Report =>
    result?.message.data['outputReport'] as unknown as Report;

  describe('orderEntryWorkflow over HTTP', () => {
    it('drafts an order of a text, an attached file, a page and the account of a customer (S2-18, S2-22)', async () => {
      const file = await upload('more.md', '- 2 cases of lemons\n');
      const view = await execute('orderEntryWorkflow', '- 5 cases roma tomatoes\n- 3 cs moon cheese', {
        attachments: [{ id: file }],
        customerAccountNumber: 4001,
        domSnapshot: { title: 'Order form', html: '<p>Friday is <b>full</b>.</p>' },
      });
      expect(view).toMatchObject({ status: 'completed' });
      const report = reportOf(view);
      expect(report).toMatchObject({ readyLines: 2, openLines: 1, customerName: 'Harbor Grill' });
      const order = await stack().api.get(`/api/order-requests/${report.orderRequestId}/`);
      expect(order).toMatchObject({
        execution_id: view.id,
        is_saved: false,
        customer: { account_number: 4001 },
        items: [
          { original_text: expect.stringContaining('roma'), status: 'success', quantity: 5 },
          { original_text: expect.stringContaining('moon'), status: 'todo' },
          { original_text: expect.stringContaining('lemons'), status: 'success', quantity: 2 },
        ],
      });
      const memory = await stack().api.get(`/api/executions/${view.id}/working-memory/`);
      expect(memory).toMatchObject({ working_memory: { page: { text: 'Order form\nFriday is full.' } } });
      const seen = await fetch(`${stack().simulatorUrl}/__control/requests`).then((answer) => answer.text());
      expect(seen).toContain('Friday is full.');
      expect(seen).not.toContain('Friday is <b>');
    });

    whenAllRun(() => {
      it('leaves a line that the reviewer objects to for a person (S2-19)', async () => {
        const view = await execute(
          'orderEntryWorkflow',
          '- 5 cases roma tomatoes\n- 1 case roma tomatoes',
          {},
        );
        const report = reportOf(view);
        expect(report.review).toEqual({
          verdict: 'needs_person',
          findings: [{ line: 2, problem: expect.stringContaining('is ordered in line 1, too.') }],
        });
        expect(await stack().api.get(`/api/order-requests/${report.orderRequestId}/`)).toMatchObject({
          items: [
            { status: 'success' },
            { status: 'todo', help_request_message: expect.stringContaining('line 1') },
          ],
        });
      });

      it('says what it takes where nothing is ordered, and drafts nothing', async () => {
        const view = await execute('orderEntryWorkflow', 'How are you?', {});
        expect(view).toMatchObject({
          status: 'completed',
          result: { message: { content: expect.stringContaining('I found no order'), data: {} } },
        });
      });

      it('refuses a file that no step can read', async () => {
        const file = await upload('program', Buffer.from([0, 1, 2]));
        const answer = await stack().api.post(`/api/agents/${ids.get('orderEntryWorkflow') ?? 0}/execute/`, {
          input: 'x',
          additional_data: { attachments: [{ id: file }] },
        });
        expect([answer.status, await answer.json()]).toMatchObject([
          400,
          { errors: [{ pointer: '#/additional_data/attachments/0' }] },
        ]);
      });
    });
  });

  whenAllRun(() => {
    describe('analyzeAgent over HTTP', () => {
      it('says what is in attached files, and keeps what is cited with its answer (S2-23)', async () => {
        const file = await upload('order.md', '- 5 cases roma tomatoes\n- 2 cases lemons\n');
        const view = await execute('analyzeAgent', 'What is this?', { attachments: [{ id: file }] });
        expect(view.result?.message).toMatchObject({
          content: 'order.md: 2 order lines.',
          data: {
            openaiFileAnnotations: [
              { type: 'file_citation', filename: 'order.md', index: 'order.md: 2 order lines.'.length },
            ],
          },
        });
      });
    });
  });

  /** Automates `examples/order-workflow/README.md` and `examples/order-review/README.md`. */
  describe('the programs of the examples', () => {
    it('take an order through the workflow, with a file (S2-18)', async () => {
      const file = join(folder, 'more.md');
      await writeFile(file, '- 2 cases of lemons\n');
      const order = join(ROOT, 'examples/order-entry/texts/01-email-english.txt');
      const { stdout } = await execa('node', [WORKFLOW, order, '--file', file], {
        env: { CAPSTAN_BASE_URL: stack().api.url },
      });
      for (const step of ['extract', 'draft', 'review', 'report'])
        expect(stdout).toContain(`done: ${step}\n`);
      expect(stdout).toMatch(/Order request \d+ is drafted for Harbor Grill: 9 lines/);
      expect(stdout).toMatch(/"orderRequestId": \d+/);
    });

    it('have a draft reviewed, and say by their exit whether a person is needed (S2-19)', async () => {
      const drafts = join(ROOT, 'examples/order-review/drafts/two-lines.json');
      const approved = await execa('node', [REVIEW, drafts], { env: { CAPSTAN_BASE_URL: stack().api.url } });
      expect(approved.stdout).toMatch(/^approved: /);
      const twice = join(folder, 'twice.json');
      const line = { item_num: 'FRT-2010', original_text: 'lemons', status: 'success', confidence: 'high' };
      await writeFile(twice, JSON.stringify({ order: 'lemons', draft: { order_info: [line, line] } }));
      const refused = await execa('node', [REVIEW, twice], {
        env: { CAPSTAN_BASE_URL: stack().api.url },
        reject: false,
      });
      expect([refused.exitCode, refused.stdout]).toEqual([
        1,
        expect.stringMatching(/^needs_person: .*\n- line 2: /),
      ]);
    });
  });
}
