import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { watchProcess, type WatchedLimits } from '#libs/bounded-process';
import type { JsonObject } from '#libs/kernel';
import type { EngineLine, EngineOrder, OpenOrder } from './engine-protocol.js';
import { findExcess } from './find-excess.js';
import { limitOpenFiles } from './limit-open-files.js';
import { SDK_VERSION } from './sdk-release.js';
import { TOOL_SERVER } from './tool-names.js';
import { answerToolServer } from './tool-server.js';

const LOOK_EVERY_MS = 250;

/** The part of the SDK that this program calls. */
interface Sdk {
  query(call: { readonly prompt: AsyncIterable<unknown>; readonly options: object }): AsyncIterable<unknown>;
}

interface Transport {
  onmessage?: (message: unknown) => void;
  start?(): Promise<void>;
  send(message: unknown): Promise<void>;
}

interface SpawnOptions {
  readonly command: string;
  readonly args: string[];
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Outputs that have come, and calls that wait for theirs. */
class Outputs {
  private readonly known = new Map<string, string>();
  private readonly waiting = new Map<string, (text: string) => void>();

  give(callId: string, text: string): void {
    const take = this.waiting.get(callId);
    if (take === undefined) this.known.set(callId, text);
    else take(text);
    this.waiting.delete(callId);
  }

  async ask(callId: string): Promise<string> {
    await say({ kind: 'asked', callId });
    const known = this.known.get(callId);
    this.known.delete(callId);
    if (known !== undefined) return known;
    return new Promise((resolve) => {
      this.waiting.set(callId, resolve);
    });
  }
}

/** Runs the engine for one conversation: orders come on standard input, its messages leave on standard output. */
function run(home: string): void {
  const outputs = new Outputs();
  const orders = createInterface({ input: process.stdin, crlfDelay: Infinity });
  orders.on('line', (line) => {
    const order = JSON.parse(line) as EngineOrder;
    if (order.kind === 'output') outputs.give(order.callId, order.text);
    else void converse(order, outputs);
  });
  // The worker has ended, or wants this conversation no longer: nothing of it may stay.
  orders.on('close', () => {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    process.kill(-process.pid, 'SIGKILL');
  });
}

async function converse(order: OpenOrder, outputs: Outputs): Promise<void> {
  // The SDK puts files of its own below the folder for temporary ones.
  process.env['TMPDIR'] = order.environment['TMPDIR'];
  const sdk = await load(order.sdk);
  if (sdk === null) {
    await say({ kind: 'failed', reason: 'not_installed' });
    return;
  }
  try {
    const messages = sdk.query({ prompt: openInput(order.prompt), options: optionsOf(order, outputs) });
    for await (const message of messages) await say({ kind: 'message', message: message as JsonObject });
    await say({ kind: 'ended' });
  } catch {
    await say({ kind: 'failed', reason: 'broken' });
  }
}

/** Null unless the release that this engine is written for is installed there. */
async function load(path: string): Promise<Sdk | null> {
  try {
    const description = JSON.parse(readFileSync(join(dirname(path), 'package.json'), 'utf8')) as JsonObject;
    if (description['version'] !== SDK_VERSION) return null;
    return (await import(pathToFileURL(path).href)) as Sdk;
  } catch {
    return null;
  }
}

function optionsOf(order: OpenOrder, outputs: Outputs): object {
  const { options, environment, tools, entries } = order;
  const ask = (callId: string): Promise<string> => outputs.ask(callId);
  const instance = {
    connect: async (transport: Transport): Promise<void> => {
      transport.onmessage = (message) => {
        void answerToolServer(message, tools, ask).then((answer) => answer && transport.send(answer));
      };
      await transport.start?.();
    },
    close: (): Promise<void> => Promise.resolve(),
  };
  return {
    ...options,
    env: environment,
    mcpServers: { [TOOL_SERVER]: { type: 'sdk', name: TOOL_SERVER, instance } },
    spawnClaudeCodeProcess: (asked: SpawnOptions) => startEngine(asked, order),
    stderr: () => undefined,
    // Earlier messages are given, and none is kept.
    ...(entries.length === 0
      ? { persistSession: false }
      : { sessionStore: { append: () => Promise.resolve(), load: () => Promise.resolve(entries) } }),
  };
}

/** Starts the engine in this process's group, so that it dies with it. */
function startEngine({ command, args, cwd, env }: SpawnOptions, order: OpenOrder) {
  const limited = limitOpenFiles({ command, args });
  const child = spawn(limited.command, limited.args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const home = order.environment['HOME'] ?? '';
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const look = async (): Promise<void> => {
    if (child.pid === undefined || hasEnded()) return;
    const excess = await findExcess({ pid: child.pid, home }, order);
    if (hasEnded()) return;
    if (excess === null) setTimeout(() => void look(), LOOK_EVERY_MS);
    else await say({ kind: 'failed', reason: excess }).then(() => child.kill('SIGKILL'));
  };
  void look();
  return child;
}

/** The question; the input then stays open, because the engine reaches tools only while it is. */
async function* openInput(content: readonly JsonObject[]): AsyncGenerator {
  yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
  await new Promise<never>(() => undefined);
}

async function say(line: EngineLine): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
}

const order = JSON.parse(process.argv[2] ?? '{}') as WatchedLimits & { readonly home: string };
watchProcess(order);
run(order.home);
