import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { ModelPort, ModelRequest, OpenedModel } from '#libs/agent-core';
import type { PromptMessage } from '#libs/payloads';
import {
  EnginePlaces,
  modelProviders,
  SDK_VERSION,
  type CallSurroundings,
  type EngineSurroundings,
} from '#libs/model-providers';
import { programFile } from '../../../scripts/build/programs.ts';
import { STAND_IN } from '../../fixtures/claude-sdk.mjs';
import { connectionTo } from '../../support/services/open-model.js';

const ROOT = join(import.meta.dirname, '../../..');
const KEY = 'sk-canary-0123456789abcdef';
const TOOL = { name: 'search', description: '', parameters: { type: 'object' }, strict: false };
export const never = new AbortController().signal;

let folder: string;

/** Puts a stand-in for the SDK into a folder of its own, for the tests of a file. */
export function useStandIn(): void {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'claude-sdk-'));
    copyFileSync(STAND_IN, join(folder, 'sdk.mjs'));
    describeSdk(SDK_VERSION);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
}

/** Says of which release the stand-in is. */
export function describeSdk(version: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
}

interface Change extends Partial<EngineSurroundings>, Pick<CallSurroundings, 'audit' | 'hosts'> {
  readonly timeoutMs?: number;
  readonly baseUrl?: string;
}

export function connect({
  timeoutMs = 60_000,
  baseUrl,
  audit,
  hosts,
  ...surroundings
}: Change = {}): ModelPort {
  const asked = connectionTo({ baseUrl: 'https://never.test', apiKey: KEY, timeoutMs });
  const connection = { ...asked, baseUrl: baseUrl ?? null };
  return modelProviders.get('claude_agent_sdk').connect(connection, {
    ...(audit && { audit }),
    ...(hosts && { hosts }),
    engine: {
      ...{ sdk: join(folder, 'sdk.mjs'), places: new EnginePlaces(2) },
      ...{ program: join(ROOT, programFile('claude-program')), ...surroundings },
    },
  });
}

/** Opens a conversation, which the caller closes. */
export function open(change: Change = {}): OpenedModel {
  const opened = connect(change).open?.();
  if (opened === undefined) throw new Error('the provider has no engine');
  return opened;
}

export function request(...messages: PromptMessage[]): ModelRequest {
  return { model: 'claude', messages, tools: [TOOL], parameters: {} };
}

export const question = (content: string) => request({ role: 'user', content });
export const ask = (model: Pick<OpenedModel, 'call'>, content: string, signal = never) =>
  model.call(question(content), () => undefined, signal);

/** Asks an engine that ends with its answer. */
export async function askOnce(content: string, change: Change = {}, signal = never) {
  const opened = open(change);
  try {
    return await ask(opened, content, signal);
  } finally {
    opened.close();
  }
}

/** Folders of the engines of this process. */
export function runFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`capstan-claude-${process.pid}-`));
}
