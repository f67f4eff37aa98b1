import { expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { compileForeignSchema } from '#libs/tool-sources';
import { FAILED_CALL_TEXT, PassingFailure, type ServerTool } from '#libs/tooling';
import { aServerTool, aToolServer } from '../../../../test/support/builders/tool-server.js';
import { TryTool, type TryToolDependencies } from './try-tool.js';

const BUSY = { result: { status: 'error' as const, result: { message: 'HTTP 500: database on fire' } } };

/** The answer to the trial of a tool that fails with `error`. */
async function tried(effect: ServerTool['effect'], error: Error): Promise<JsonObject | undefined> {
  const answers: JsonObject[] = [];
  const tool = aServerTool('look', { effect, run: () => Promise.reject(error) });
  const server = aToolServer('crm', { tools: { look: { effect } } });
  const trying = new TryTool({
    take: (tenantId: string, id: string) =>
      Promise.resolve({
        ...{ id, tenantId, serverId: 's', toolName: 'mcp__crm__look', input: {} },
        ...{ tokensSealed: null, userId: null },
      }),
    finish: (_tenant: string, _id: string, answer: JsonObject) => Promise.resolve(void answers.push(answer)),
    findServer: () => Promise.resolve({}),
    openSecrets: () => server,
    openTokens: () => ({}),
    access: { to: () => null },
    drivers: {
      http: { open: () => Promise.resolve({ tools: [tool], warnings: [], close: () => Promise.resolve() }) },
    },
    compileReader: compileForeignSchema,
    onError: () => undefined,
  } as unknown as TryToolDependencies);
  await trying.execute('default', 't1');
  return answers[0];
}

it.each<[string, ServerTool['effect'], Error, object]>([
  [
    'what the server says, as a run would read it',
    'read',
    new PassingFailure(BUSY, 500),
    { outcome: 'failed', output: JSON.stringify(BUSY.result) },
  ],
  [
    'of an unsafe call that may have run, only that',
    'unsafe',
    new PassingFailure(BUSY, 500),
    { outcome: 'outcome_unknown' },
  ],
  ['nothing of an exception', 'read', new Error('secret'), { outcome: 'failed', output: FAILED_CALL_TEXT }],
])('a try of a tool that fails says %s', async (_what, effect, error, expected) => {
  expect(await tried(effect, error)).toMatchObject(expected);
});
