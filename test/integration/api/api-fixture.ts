import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { EventStream } from '#libs/executions';
import { parseEnv } from '#libs/config';
import { createLogger } from '#libs/observability';
import { DescriptionReader } from '#libs/tool-sources';
import { ApiModule } from '../../../apps/api/src/api.module.js';
import { ToolServersModule } from '../../../apps/api/src/mcp-servers/mcp-servers.module.js';
import { createApiApp, type ApiAppOptions } from '../../../apps/api/src/create-api-app.js';
import { programFile } from '../../../scripts/build/programs.ts';

/** A listening API with the inner parts that tests use. */
export interface RunningApi {
  readonly app: NestFastifyApplication;
  readonly dataSource: DataSource;
  readonly events: EventStream;
  readonly url: string;
  /** Log lines of the API. */
  readonly log: readonly string[];
}

/** Starts an API on a free port with this environment. The caller must close its `app`. */
export async function startApi(
  env: Readonly<Record<string, string>>,
  options: Pick<ApiAppOptions, 'consoleFolder' | 'siteFolder'> = {},
): Promise<RunningApi> {
  const log: string[] = [];
  const logger = createLogger('api', 'debug', { write: (line) => void log.push(line) });
  const config = parseEnv({ NODE_ENV: 'test', ...env });
  const module = ApiModule.forRoot(config, logger);
  // Only a build has the program beside its module.
  const program = join(import.meta.dirname, '../../..', programFile('description-program'));
  const reader = { provide: DescriptionReader, useValue: new DescriptionReader({ program }) };
  const imports = module.imports?.map((imported) =>
    imported === ToolServersModule ? { module: ToolServersModule, providers: [reader] } : imported,
  );
  const app = await createApiApp(config, {
    ...options,
    logger,
    module: { ...module, imports: imports ?? [] },
  });
  await app.listen(0, '127.0.0.1');
  const address = app.getHttpServer().address();
  if (address === null || typeof address === 'string') throw new Error('the API does not listen on a port');
  const url = `http://127.0.0.1:${address.port}`;
  return { app, url, log, dataSource: app.get(DataSource), events: app.get(EventStream, { strict: false }) };
}
