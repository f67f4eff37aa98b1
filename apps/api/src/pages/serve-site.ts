import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { REFERENCE_PATH, SITE_PATH } from '../http/page-paths.js';
import { isHashed, requireBuilt, restOf, sendFilesOf, sendPageAt } from './static-files.js';

const PAGE = 'index.html';
const REFERENCE_PAGE = `api/${PAGE}`;
const NOT_FOUND_PAGE = '404.html';

/**
 * Serves the built documentation site below `/docs/`, and the API reference at `/docs/api/`, which needs a key where the API
 * does.
 *
 * @param folder what the build of the site wrote; it may appear while the process runs
 */
export async function serveSite(instance: FastifyInstance, folder: string): Promise<void> {
  const pageAt = (path: string, page: string) =>
    sendPageAt(path, (reply: FastifyReply) => {
      requireBuilt(folder, page, 'documentation');
      void reply.sendFile(page);
    });
  await instance.register(
    async (scope) => {
      await sendFilesOf(scope, folder);
      scope.get('/', pageAt(SITE_PATH, PAGE));
      scope.get('/api', pageAt(REFERENCE_PATH, REFERENCE_PAGE));
      scope.get('/*', (request, reply) => {
        const path = restOf(request);
        void reply.sendFile(path.endsWith('/') ? `${path}${PAGE}` : path);
      });
      scope.setNotFoundHandler((request, reply) => {
        if (isHashed(restOf(request)) || !existsSync(join(folder, NOT_FOUND_PAGE)))
          throw new NotFoundException();
        void reply.code(404).sendFile(NOT_FOUND_PAGE);
      });
    },
    { prefix: SITE_PATH },
  );
}
