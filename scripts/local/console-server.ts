import { join } from 'node:path';
import { createServer } from 'vite';
import type { CommandContext } from './run-until-stopped.ts';

/**
 * Serves the console from its sources, with what changes replaced in the open page; requests of `/api` go to the API. The
 * server ends with the command.
 * @param options.api base URL of the API without a trailing slash
 * @returns the address of the console
 */
export async function serveConsole(options: {
  root: string;
  context: CommandContext;
  api: string;
}): Promise<string> {
  const { root, context, api } = options;
  const folder = join(root, 'apps', 'console');
  const server = await createServer({
    root: folder,
    configFile: join(folder, 'vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    server: { proxy: { '/api': { target: api } } },
  });
  context.onStop(() => server.close());
  await server.listen();
  return server.resolvedUrls?.local[0] ?? `http://localhost:${server.config.server.port}/console/`;
}
