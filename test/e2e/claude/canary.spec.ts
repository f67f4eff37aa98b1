import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { whenAllRun } from '../../support/selection.js';
import { scripted } from '../../support/services/api-client.js';
import { ClaudeStandIn } from '../../support/services/claude-stand-in.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { dumpDatabase } from '../../support/services/everything-stored.js';
import { EngineWorld, engineOf, untilGone } from './engine-world.js';
import { CANARY, claudeEngine, REAL_SDK, SDK, type Engine } from './engines.js';
import { environmentOf } from './processes.js';

const standIn = new ClaudeStandIn();
afterAll(() => {
  standIn.close();
});

describe('the key of a run by a stand-in for the Claude Agent SDK', () => {
  keepsItsKey(claudeEngine('a stand-in for the Claude Agent SDK', standIn.folder, 8));
});
whenAllRun(() => {
  describeWithProgram(SDK, 'the key of a run by the Claude Agent SDK', () => {
    keepsItsKey(REAL_SDK);
  });
});

function keepsItsKey(engine: Engine): void {
  it('is in the environment of the engine, and nowhere else', async () => {
    const world = await EngineWorld.start(engine);
    try {
      const clerk = await world.makeAgent({ tools: { servers: ['mcp__parcels__*'] } });
      const worker = await world.startWorker({ LOG_LEVEL: 'trace', OPENAI_GPT5_AUDIT_LOG: 'true' });
      const send = { name: engine.toolName('mcp__parcels__send'), arguments: {} };
      const { id, session_uuid } = await world.submit(clerk, scripted({ text: 'I send.', calls: [send] }));
      await world.service.called();

      const [program, ...engines] = await engineOf(worker);
      const everyone = [worker.pid, program?.pid ?? 0, ...engines.map(({ pid }) => pid)];
      const holding = everyone.filter((pid) => environmentOf(pid).includes(CANARY));
      expect(holding.length).toBeGreaterThan(0);
      expect(engines.map(({ pid }) => pid)).toEqual(expect.arrayContaining(holding));
      const lines = [program, ...engines].map((found) => found?.command).join();
      const home = /"home":"([^"]+)"/.exec(program?.command ?? '')?.[1] ?? '';
      expect(home).toContain(`capstan-claude-${worker.pid}-`);
      const kept = textOf(home);

      expect((await world.api.post(`/api/executions/${id}/cancel/`, {})).status).toBe(200);
      const view = await world.api.settled(id);
      await untilGone(engines);
      const answers = await Promise.all([
        ...[world.api.events(id), world.stepsOf(id)],
        world.api.get(`/api/sessions/${session_uuid}/messages/`),
        world.api.get('/api/llms/'),
      ]);
      const places: Record<string, string> = {
        'command lines': lines,
        'files of the engine': kept,
        'requests to tools': world.service.received.join(),
        logs: worker.log,
        answers: JSON.stringify([view, ...answers]),
        database: await dumpDatabase(world.deployment.databaseUrl),
      };
      expect(places['logs']).toContain('claude_agent_sdk_request');
      expect(places['requests to tools']).not.toBe('');
      expect(Object.keys(places).filter((place) => places[place]?.includes(CANARY))).toEqual([]);
    } finally {
      await world.close();
    }
  });
}

/** The text of all files of a folder and below. */
function textOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join();
}
