import { describe, expect, it } from '@jest/globals';
import { json, problem, scriptedFetch, sentJson, type Step } from '../../fakes/scripted-fetch.js';
import { runProgram } from './program.js';
import type { Surroundings } from './surroundings.js';

/** Runs a command line against scripted answers. */
async function run(argv: string, answers: Step[] = [], more: Partial<Surroundings> = {}) {
  const { fetch, sent } = scriptedFetch(...answers);
  let [out, err] = ['', ''];
  const exitCode = await runProgram(argv === '' ? [] : argv.split(' '), {
    environment: { CAPSTAN_BASE_URL: 'http://capstan', CAPSTAN_API_KEY: 'cap_1' },
    version: '0.1.0',
    write: (text) => (out += text),
    writeError: (text) => (err += text),
    isTerminal: false,
    canAsk: false,
    columns: null,
    ask: () => Promise.reject(new Error('no terminal')),
    readInput: () => Promise.resolve('from a pipe'),
    readFiles: () => Promise.resolve([]),
    signal: new AbortController().signal,
    now: () => 0,
    fetch,
    loadService: () => Promise.reject(new Error('no programs')),
    ...more,
  });
  return { exitCode, out, err, sent };
}

const EXECUTION = {
  id: 'e1',
  status: 'queued',
  agent_id: 7,
  created_at: 'c',
  started_at: null,
  finished_at: null,
};
const page = (...data: object[]) => json({ data, next_cursor: null });
const waiting = (calls: object[]) =>
  json({ ...EXECUTION, status: 'requires_action', required_action: { calls } });
const CALL = { call: '1.0', asks: 'approval', tool_name: 'charge', tool_input: {} };

describe('a command line', () => {
  it('submits, and prints the id', async () => {
    const { exitCode, out, sent } = await run('run 7 - --metadata a=1 --metadata b=2 --executor anna', [
      json(EXECUTION, 202),
    ]);
    expect([exitCode, out]).toEqual([0, 'e1\n']);
    expect(sentJson(sent[0])).toEqual({
      input: 'from a pipe',
      executor: { user_id: 'anna' },
      metadata: { a: '1', b: '2' },
    });
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer cap_1');
  });

  it('ends with the exit code of the migration program', async () => {
    const asked: unknown[] = [];
    const programs = {
      migrate: (...given: unknown[]) => {
        asked.push(given);
        return Promise.resolve(1);
      },
    } as unknown as Awaited<ReturnType<Surroundings['loadService']>>;
    const { exitCode } = await run('migrate --project capstan -- --seed', [], {
      loadService: () => Promise.resolve(programs),
    });
    expect([exitCode, asked]).toEqual([1, [['capstan', ['--seed']]]]);
  });

  it('finds an agent by its name', async () => {
    const agents = page({ id: 3, name: 'other' }, { id: 7, name: 'greeter' });
    const { sent } = await run('run greeter hello', [agents, json(EXECUTION, 202)]);
    expect(sent[1]?.url).toBe('http://capstan/api/agents/7/execute/');
    const none = await run('run clerk hello', [page()]);
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('There is no agent "clerk"')]);
  });

  it('lists rows, or JSON, one item a line', async () => {
    const { out } = await run('runs --status failed -n 2', [page(EXECUTION, EXECUTION, EXECUTION)]);
    expect(out.trimEnd().split('\n')).toHaveLength(3);
    const lines = (await run('runs --json', [page(EXECUTION, EXECUTION)])).out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([EXECUTION, EXECUTION]);
  });

  it('has no colours in a pipe, nor where NO_COLOR is set', async () => {
    const colours = async (more: Partial<Surroundings>): Promise<boolean> =>
      (await run('runs', [page(EXECUTION)], more)).out.includes('\u001b[');
    expect(await colours({})).toBe(false);
    expect(await colours({ isTerminal: true })).toBe(true);
    expect(await colours({ isTerminal: true, environment: { NO_COLOR: '1' } })).toBe(false);
  });

  it('says errors in words, or as JSON', async () => {
    const said = await run('cancel e1', [problem(404, 'NOT_FOUND')]);
    expect([said.exitCode, said.out, said.err]).toEqual([1, '', 'it is not so (NOT_FOUND)\nRequest r-2\n']);
    const { err } = await run('cancel e1 --json', [problem(404, 'NOT_FOUND')]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'NOT_FOUND', request_id: 'r-2' } });
  });

  it.each(['runs -n 0', 'runs --unknown', 'unknown', 'usage --by week', 'run 7'])(
    'refuses %s',
    async (argv) => {
      const { exitCode, err } = await run(argv);
      expect([exitCode, err]).toEqual([2, expect.stringContaining('error')]);
    },
  );

  it('decides over named calls, and asks only at a terminal', async () => {
    const { sent } = await run('approve e1 --all --reject --reason dear', [waiting([CALL]), json(EXECUTION)]);
    expect(sentJson(sent[1])).toEqual({
      decisions: [{ call: '1.0', approved: false, reason: 'dear' }],
    });
    expect((await run('approve e1', [waiting([CALL])])).exitCode).toBe(2);
  });

  it('asks the person at a terminal call by call', async () => {
    const answers = ['y', 'n', 'too dear', ''];
    const calls = ['1.0', '1.1', '1.2'].map((call) => ({ ...CALL, call }));
    const more = { canAsk: true, ask: () => Promise.resolve(answers.shift() ?? '') };
    const { sent, exitCode } = await run('approve e1', [waiting(calls), json(EXECUTION)], more);
    expect(exitCode).toBe(6);
    expect(sentJson(sent[1])).toEqual({
      decisions: [
        { call: '1.0', approved: true, reason: '' },
        { call: '1.1', approved: false, reason: 'too dear' },
      ],
    });
    const yes = { canAsk: true, ask: () => Promise.resolve('yes') };
    expect((await run('approve e1', [waiting(calls), json(EXECUTION)], yes)).exitCode).toBe(0);
  });

  it.each([
    ['', ['run', 'runs']],
    ['run ', []],
    ['keys ', ['list', 'create', 'revoke']],
    ['usage --by ', ['model', 'agent', 'executor', 'day', 'tenant', 'scope']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['deliveries --st', ['--status']],
  ])('completes "%s"', async (words, found) => {
    const line = words.split(' ');
    const { out } = await run(['complete', '--', ...(words === '' ? ['ru'] : line)].join(' '));
    expect(out.split('\n').filter((word) => word !== '')).toEqual(found);
  });

  it.each(['bash', 'zsh', 'fish'])('prints the completion of %s', async (shell) => {
    expect((await run(`completion ${shell}`)).out).toContain('capstan complete --');
  });
});
