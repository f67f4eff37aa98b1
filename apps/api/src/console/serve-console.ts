import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import files from '@fastify/static';
import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#libs/kernel';
import { CONSOLE_PATH } from '../http/console-path.js';

const PAGE = 'index.html';
/** Folder of the files with a hash of their content in their name. */
const HASHED = 'assets';

const FOR_A_YEAR = 'public, max-age=31536000, immutable';

/**
 * Serves the built console below `/console/`, and sends browsers there from `/`. A path that is no file gets the page, which
 * has routes of its own.
 *
 * @param folder what the build of the console wrote; it may appear while the process runs
 */
export async function serveConsole(instance: FastifyInstance, folder: string): Promise<void> {
  instance.get('/', redirectBrowsers);
  await instance.register(
    async (scope) => {
      await scope.register(files, {
        root: folder,
        serve: false,
        cacheControl: false,
        suppressWarning: true,
        setHeaders: (reply, path) =>
          void reply.header('Cache-Control', isHashed(path, folder) ? FOR_A_YEAR : 'no-cache'),
      });
      // Handlers return nothing: Fastify listens twice more for the end of a reply that it is given, and Node takes more
      // than ten listeners for a leak.
      scope.get('/', (request, reply) => {
        // The router ignores a slash at the end, but links of the page are relative to it.
        if (pathOf(request).endsWith('/')) sendPage(reply, folder);
        else void reply.redirect(`${CONSOLE_PATH}/`, 308);
      });
      scope.get('/*', (request, reply) => void reply.sendFile(restOf(request)));
      scope.setNotFoundHandler((request, reply) => {
        if (`${restOf(request)}/`.startsWith(`${HASHED}/`)) throw new NotFoundException();
        sendPage(reply, folder);
      });
    },
    { prefix: CONSOLE_PATH },
  );
}

function redirectBrowsers({ headers }: FastifyRequest, reply: FastifyReply): void {
  void reply.header('Vary', 'Accept');
  if (headers.accept?.includes('text/html') !== true) throw new NotFoundException();
  void reply.redirect(`${CONSOLE_PATH}/`, 302);
}

/** Throws `NOT_FOUND` (404) with the way out where the console is not built. */
function sendPage(reply: FastifyReply, folder: string): void {
  if (!existsSync(join(folder, PAGE)))
    throw new AppError({
      code: 'NOT_FOUND',
      kind: 'not_found',
      message: 'the console is not built here: run "npm run build", or set CONSOLE=off',
    });
  void reply.sendFile(PAGE);
}

function isHashed(path: string, folder: string): boolean {
  return path.startsWith(join(folder, HASHED) + sep);
}

function restOf({ params }: FastifyRequest): string {
  return (params as { '*'?: string })['*'] ?? '';
}

function pathOf({ originalUrl }: FastifyRequest): string {
  return originalUrl.split('?', 1)[0] ?? '';
}
