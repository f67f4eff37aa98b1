import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_PATH } from '../http/page-paths.js';
import { isHashed, requireBuilt, restOf, sendFilesOf, sendPageAt } from './static-files.js';

const PAGE = 'index.html';

/**
 * Serves the built console below `/console/`, and sends browsers there from `/`. A path that is no file gets the page, which
 * has routes of its own.
 *
 * @param folder what the build of the console wrote; it may appear while the process runs
 */
export async function serveConsole(instance: FastifyInstance, folder: string): Promise<void> {
  const sendPage = (reply: FastifyReply): void => {
    requireBuilt(folder, PAGE, 'console');
    void reply.sendFile(PAGE);
  };
  instance.get('/', redirectBrowsers);
  await instance.register(
    async (scope) => {
      await sendFilesOf(scope, folder);
      scope.get('/', sendPageAt(CONSOLE_PATH, sendPage));
      scope.get('/*', (request, reply) => void reply.sendFile(restOf(request)));
      scope.setNotFoundHandler((request, reply) => {
        if (isHashed(restOf(request))) throw new NotFoundException();
        sendPage(reply);
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
