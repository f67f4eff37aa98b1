import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { startLocalEnvironment } from '../local/local-environment.ts';
import { provideBuild } from '../local/project-build.ts';
import type { CommandContext } from '../local/run-until-stopped.ts';
import { createApiClient } from '../quickstart/api-client.ts';
import { startWebhookReceiver } from '../quickstart/webhook-receiver.ts';
import { registerReceiver } from '../quickstart/webhook-registration.ts';
import { filesOf, functionsOf, functionsOfEachRun, type ScriptCoverage } from './files-of-run.ts';

const RUNS = 5;
const RECEIVER_PORT = 3_103;
const RUN_LIMIT_MS = 30_000;
const COVERAGE_LIMIT_MS = 30_000;
/** Longer than any interval at which an idle service looks for work. */
const IDLE_MS = 12_000;
/** After the webhook has arrived: the service records its answer. */
const RECORD_MS = 400;
const ANSWER = z.object({ id: z.union([z.number(), z.string()]) });

/** Files on the way of one submit. */
export interface Way {
  /** Files with a function that ran. */
  readonly all: readonly string[];
  /** Files of `all` with a function that an idle service does not run. */
  readonly own: readonly string[];
}

/**
 * Measures the way of one submit: API and worker in one process with an API key, an agent with one tool, two model calls
 * and a webhook. One run warms the caches; each later one is measured by V8, from before its request until after its
 * webhook, and so is the service without any request.
 */
export async function measureWay(root: string, context: CommandContext): Promise<Way> {
  await provideBuild(root);
  const folder = mkdtempSync(join(tmpdir(), 'capstan-way-'));
  context.onStop(() => rmSync(folder, { recursive: true, force: true }));
  Object.assign(process.env, {
    AUTH: 'api-key',
    PROJECT: join(root, 'scripts/figures/project'),
    // No title is generated after the run.
    TITLES: 'input',
    NODE_V8_COVERAGE: folder,
    NODE_OPTIONS: `--import ${new URL('take-coverage.mjs', import.meta.url).href}`,
  });
  const environment = await startLocalEnvironment({
    root,
    context,
    command: 'dev',
    programs: 'compiled',
    isOneProcess: true,
    simulatedModel: 'sim-caller',
    defaults: {},
    watch: {
      onLine: () => undefined,
      onUnexpectedExit: (_name, message) => context.fail(new Error(message)),
    },
  });
  const { api, apiKey, services } = environment;
  const pid = services.list().find(({ name }) => name === 'service')?.identity?.pid;
  if (pid === undefined) throw new Error('the service has no process');
  const receiver = await startWebhookReceiver(RECEIVER_PORT);
  context.onStop(receiver.close);
  await registerReceiver({ api, apiKey, receiver, context });

  const client = createApiClient(api, context.signal, apiKey);
  const llm = await client.post('/api/llms/', { name: 'Way of a submit', model: 'sim-caller' }, ANSWER);
  context.onStop(() => client.delete(`/api/llms/${llm.id}/`).catch(() => undefined));
  const agent = await client.post(
    '/api/agents/',
    {
      ...{ name: 'Way of a submit', usecase_type: 'BASIC_CHAT', llm: llm.id },
      tools: { builtin: ['look_up'] },
    },
    ANSWER,
  );
  context.onStop(() => client.delete(`/api/agents/${agent.id}/`).catch(() => undefined));

  const run = async (): Promise<void> => {
    const { id } = await client.post(
      `/api/agents/${agent.id}/execute/`,
      { input: 'Look up the order 7.' },
      ANSWER,
    );
    const delivery = await receiver.next(({ executionId }) => executionId === id, RUN_LIMIT_MS);
    if (delivery?.verdict !== 'verified') throw new Error('the run has no webhook');
    await delay(RECORD_MS);
  };
  const dist = pathToFileURL(`${root}/dist/`).href;
  const during = async (work: () => Promise<unknown>): Promise<ReadonlySet<string>> => {
    await takeCoverage(pid, folder, context.signal);
    await work();
    return functionsOf(await takeCoverage(pid, folder, context.signal));
  };
  await run();
  const runs: ReadonlySet<string>[] = [];
  for (let number = 1; number <= RUNS; number += 1) runs.push(await during(run));
  const all = functionsOfEachRun(runs);
  const idle = await during(() => delay(IDLE_MS));
  const own = new Set([...all].filter((name) => !idle.has(name)));
  return { all: filesOf(all, dist), own: filesOf(own, dist) };
}

/** Coverage since the last call. Each call writes one more file of the main thread. Throws where none comes within 30 s. */
async function takeCoverage(pid: number, folder: string, signal: AbortSignal): Promise<ScriptCoverage[]> {
  const written = (): string[] =>
    readdirSync(folder).filter((name) => name.startsWith(`coverage-${pid}-`) && name.endsWith('-0.json'));
  const before = new Set(written());
  process.kill(pid, 'SIGUSR2');
  const deadline = performance.now() + COVERAGE_LIMIT_MS;
  for (;;) {
    signal.throwIfAborted();
    await delay(20);
    const file = written().find((name) => !before.has(name));
    const coverage = file === undefined ? null : parseWhole(readFileSync(join(folder, file), 'utf8'));
    if (coverage !== null) return coverage;
    if (performance.now() > deadline)
      throw new Error(`the service has written no coverage within ${COVERAGE_LIMIT_MS / 1_000} s`);
  }
}

/** Null while the file is being written. */
function parseWhole(text: string): ScriptCoverage[] | null {
  try {
    return (JSON.parse(text) as { result: ScriptCoverage[] }).result;
  } catch {
    return null;
  }
}
