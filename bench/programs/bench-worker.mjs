// The worker as it is, with one more tool: `bench_wait`, which takes as long as it is asked to.
import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { parseEnv } from '#libs/config';
import { createLogger, NestLogger } from '#libs/observability';
import { BuiltinTools } from '#libs/tool-sources';
import { defineTool } from '#libs/tooling';
import { WAIT_TOOL } from '../services/model-scripts.mjs';

const { WorkerModule } = await import(
  new URL('../../dist/apps/worker/src/worker.module.js', import.meta.url).href
);

const waitTool = defineTool({
  name: WAIT_TOOL,
  label: 'wait',
  description: 'Waits.',
  effect: 'read',
  input: z.object({ milliseconds: z.number() }),
  timeoutMs: 10_000,
  run: async ({ milliseconds }) => {
    if (milliseconds > 0) await delay(milliseconds);
    return { result: { status: 'success', result: { message: 'waited' } } };
  },
});

const config = parseEnv(process.env);
const logger = createLogger('worker', config.logLevel);
const worker = WorkerModule.forRoot(config, logger);
const providers = worker.providers.filter((/** @type {any} */ provider) => provider.provide !== BuiltinTools);
providers.push({ provide: BuiltinTools, useValue: new BuiltinTools([waitTool]) });
const app = await NestFactory.createApplicationContext(
  { ...worker, providers },
  { logger: new NestLogger(logger), abortOnError: false },
);
const stop = () => void app.close().then(() => process.exit(0));
process.once('SIGTERM', stop).once('SIGINT', stop);
