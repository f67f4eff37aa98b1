import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

const EXECUTOR = { user_id: 'u7', name: 'Mara', email: 'mara@example.com', employee_id: 'e9' };
const request = { input: 'hello', options: {}, additional_data: {}, executor: EXECUTOR };

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());
afterEach(() =>
  world.dataSource.query(`
    DELETE FROM skill;
    UPDATE tenant SET status = 'active', system_prompt = NULL, settings = '{}';
    UPDATE llm SET is_active = true`),
);

async function addSkill(name: string, content: string, isActive = true, tenant = 'default'): Promise<void> {
  await world.dataSource.query(
    `INSERT INTO tenant (id, name) VALUES ($1::text, $1::text) ON CONFLICT DO NOTHING`,
    [tenant],
  );
  await world.dataSource.query(
    `INSERT INTO skill (tenant_id, name, description, content, is_active) VALUES ($1, $2, $3, $4, $5)`,
    [tenant, name, `When to ${name}.`, content, isActive],
  );
}

async function systemPromptOf(
  overrides: Parameters<WorkerWorld['submit']>[0] = {},
): Promise<{ system: string | undefined; sessionId: string; tools: string[] | undefined }> {
  const { id, sessionId } = await world.submit(overrides);
  const model = new SequenceModel([aModelAnswer({ text: 'done' })]);
  expect(await world.run(id, model)).toMatchObject({ status: 'completed' });
  const systems = model.requests[0]?.messages.filter(({ role }) => role === 'system') ?? [];
  expect(systems.length).toBeLessThanOrEqual(1);
  return {
    system: systems[0]?.content,
    sessionId,
    tools: model.requests[0]?.tools.map(({ name }) => name),
  };
}

describe('the prompt of an execution', () => {
  it('is the agent’s alone, to the letter, where nothing else is said', async () => {
    await world.offer([]);
    expect(await systemPromptOf()).toMatchObject({ system: 'Be brief.', tools: [] });
  });

  it('has every layer in its order; only the agent’s is stored with the conversation (S3-11, S4-6, S4-7)', async () => {
    await world.offer([]);
    world.filesRoot = await mkdtemp(join(tmpdir(), 'capstan-files-'));
    const [first] = [await systemPromptOf()];
    const folder = join(world.filesRoot, 'default', first.sessionId);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'order.csv'), 'a,b');
    await world.dataSource.query(
      `UPDATE tenant SET system_prompt = 'We are Acme.', settings = '{"workspace": {"enabled": true}}' WHERE id = 'default'`,
    );
    await addSkill('refund', 'Ask first.');
    await addSkill('hidden', 'Not for now.', false);
    await addSkill('foreign', 'Not yours.', true, 'stranger');

    const { system, tools } = await systemPromptOf({
      sessionId: first.sessionId,
      request: { ...request, preferred_skills: [' refund ', 'no such/skill'] },
    });

    expect(system?.split('\n').filter((line) => !/^(?:Name a|What a|Where|Skills are)/.test(line))).toEqual([
      '<preferred_skills>',
      'refund',
      '</preferred_skills>',
      '',
      'We are Acme.',
      '',
      'Be brief.',
      '',
      '<workspace>',
      'The files of this conversation are in /files:',
      '- [session] order.csv (3.0B)',
      '</workspace>',
      '',
      '<skills>',
      '- refund: When to refund.',
      '</skills>',
    ]);
    expect(tools).toEqual(['read_skill']);
    const stored = (await world.messagesOf(first.sessionId)).filter(({ role }) => role === 'system');
    expect(stored.map(({ content }) => content)).toEqual(['Be brief.']);
    await rm(world.filesRoot, { recursive: true });
    world.filesRoot = null;
  });

  it('has the tenant’s prompt before the policies of a strategy', async () => {
    await world.offer([], { strategy: 'gpt5_function_calling' });
    await world.dataSource.query(`UPDATE tenant SET system_prompt = 'We are Acme.' WHERE id = 'default'`);

    expect((await systemPromptOf()).system).toMatch(/^We are Acme\.\n\nBe brief\.\n\n<persistence>/);
  });

  it('says nothing of a workspace that is switched off', async () => {
    await world.offer([]);
    world.filesRoot = tmpdir();
    expect((await systemPromptOf()).system).toBe('Be brief.');
    world.filesRoot = null;
  });
});

describe('read_skill (S4-7)', () => {
  it('gives the content of an active skill of the tenant, whole, and of no other', async () => {
    await world.offer([]);
    const content = 'あ"\n'.repeat(13_107);
    await addSkill('refund', content);
    await addSkill('hidden', 'Not for now.', false);
    await addSkill('foreign', 'Not yours.', true, 'stranger');
    const { id } = await world.submit();
    const names = ['refund', 'hidden', 'foreign'];
    const toolCalls = names.map((name, index) => aCall('read_skill', `c${index}`, { name }));
    const model = new SequenceModel([aModelAnswer({ toolCalls }), aModelAnswer({ text: 'done' })]);

    expect(await world.run(id, model)).toMatchObject({ status: 'completed' });

    const outputs = model.requests[1]?.messages.filter(({ role }) => role === 'tool');
    expect(outputs?.[0]?.content).toBe(content);
    const missing = expect.stringContaining('there is no skill of this name; use a listed one');
    expect(outputs?.slice(1).map((output) => output.content)).toEqual([missing, missing]);
  });

  it('is not offered to a tenant without an active skill', async () => {
    await world.offer([]);
    await addSkill('hidden', 'Not for now.', false);
    expect((await systemPromptOf()).tools).toEqual([]);
  });
});

describe('waiting executions while', () => {
  it.each([
    ['its tenant becomes inactive', `UPDATE tenant SET status = 'inactive'`, 'the tenant is inactive'],
    ['its model becomes inactive', `UPDATE llm SET is_active = false`, 'the model configuration is inactive'],
  ])('%s fails with the code of a submission (S4-2)', async (_name, sql, message) => {
    await world.offer([]);
    const { id } = await world.submit();
    await world.dataSource.query(sql);

    const view = await world.run(id, new SequenceModel([]));

    expect(view).toMatchObject({ status: 'failed', error: { code: 'INACTIVE_RESOURCE', message } });
  });
});

describe('the limits of a tenant', () => {
  it.each([
    ['where the agent has no budget', {}, 15],
    ['where the agent’s budget is larger', { budget: { total_tokens: 1_000_000 } }, 15],
    ['not where the agent’s budget is smaller', { budget: { total_tokens: 1 } }, 1_000_000],
  ])('end an execution by its tokens, %s', async (_name, config, tokens) => {
    await world.offer([], config);
    await addSkill('refund', 'Ask first.');
    await world.dataSource.query(`UPDATE tenant SET settings = $1 WHERE id = 'default'`, [
      JSON.stringify({ limits: { tokens_per_execution: tokens } }),
    ]);
    const { id } = await world.submit();
    const call = aModelAnswer({ toolCalls: [aCall('read_skill', 'c1', { name: 'refund' })] });
    const model = new SequenceModel([call, aModelAnswer({ text: 'too late' })]);

    expect(await world.run(id, model)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'budget' },
    });
    expect(model.requests).toHaveLength(1);
  });
});
