import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { engineFolder } from '#libs/config';
import { sdkModule } from '#libs/model-providers';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = resolve(ROOT, engineFolder(process.env));

/** A key that may appear nowhere. */
export const CANARY = 'sk-canary-0123456789abcdef';

/** One way of turning the loop of an agent. */
export interface Engine {
  readonly name: string;
  /** Settings of workers that run it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether it runs in processes of its own. */
  readonly hasProcesses: boolean;
  /** Whether its requests mark parts of the prompt for the cache of the provider. */
  readonly hasCacheMarks: boolean;
  /** Deadline in seconds by which the model has begun to answer on a busy machine. */
  readonly deadlineSeconds: number;
  /** Provider and credentials of a model configuration for it. */
  llm(simulatorUrl: string): { readonly provider: string; readonly credentials: object };
  /** Name of a tool as the model calls it. */
  toolName(name: string): string;
}

/** The loop of this service, which asks the Messages API. */
export const DURABLE: Engine = {
  ...{ name: 'the durable loop, Messages API', settings: {}, deadlineSeconds: 6 },
  ...{ hasProcesses: false, hasCacheMarks: true },
  llm: (simulatorUrl) => ({
    provider: 'anthropic',
    credentials: { anthropic_api_key: CANARY, anthropic_api_base: simulatorUrl },
  }),
  toolName: (name) => name,
};

/** The loop of this service, which asks the Responses API. */
export const DURABLE_RESPONSES: Engine = {
  ...DURABLE,
  ...{ name: 'the durable loop, Responses API', hasCacheMarks: false },
  llm: (simulatorUrl) => ({
    provider: 'openai',
    credentials: { openai_api_key: CANARY, openai_api_base: `${simulatorUrl}/v1` },
  }),
};

/** The Claude Agent SDK in this folder, or a stand-in for it. */
export function claudeEngine(name: string, folder: string, deadlineSeconds: number): Engine {
  return {
    ...{ name, deadlineSeconds, hasProcesses: true, hasCacheMarks: true },
    settings: { CLAUDE_AGENT_SDK: folder, CLAUDE_AGENT_SDK_PROCESSES: '1' },
    llm: (simulatorUrl) => ({
      provider: 'claude_agent_sdk',
      credentials: { claude_agent_key: CANARY, claude_agent_base: simulatorUrl },
    }),
    toolName: (tool) => `mcp__capstan__${tool}`,
  };
}

export const SDK = {
  name: 'the Claude Agent SDK (npm run claude:install)',
  isInstalled: existsSync(sdkModule(FOLDER)),
};
export const REAL_SDK = claudeEngine('the Claude Agent SDK', FOLDER, 30);
