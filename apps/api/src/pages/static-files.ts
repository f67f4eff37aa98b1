import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#libs/kernel';

/** Folder of the files with a hash of their content in their name. */
const HASHED = 'assets';

const FOR_A_YEAR = 'public, max-age=31536000, immutable';

/**
 * Has replies of a scope send files of `folder`: those with a hash are kept for a year, others are asked for anew. A file
 * that lies compressed beside itself, as `.br` or `.gz`, is sent so.
 */
export async function sendFilesOf(scope: FastifyInstance, folder: string): Promise<void> {
  const hashed = join(folder, HASHED) + sep;
  await scope.register(files, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    suppressWarning: true,
    setHeaders: (reply, path) =>
      void reply.header('Cache-Control', path.startsWith(hashed) ? FOR_A_YEAR : 'no-cache'),
  });
}

/** Whether the path, relative to the folder, is one of a file with a hash. */
export function isHashed(path: string): boolean {
  return `${path}/`.startsWith(`${HASHED}/`);
}

/**
 * Sends a page, or redirects to the path with a slash at its end: links of the page are relative to it, and the router
 * ignores the slash.
 */
export function sendPageAt(
  path: string,
  send: (reply: FastifyReply) => void,
): (request: FastifyRequest, reply: FastifyReply) => void {
  // Handlers return nothing: Fastify listens twice more for the end of a reply that it is given, and Node takes more
  // than ten listeners for a leak.
  return ({ originalUrl }, reply) => {
    if (originalUrl.split('?', 1)[0]?.endsWith('/') === true) send(reply);
    else void reply.redirect(`${path}/`, 308);
  };
}

/** Path of a request below the scope, without the first slash. */
export function restOf({ params }: FastifyRequest): string {
  return (params as { '*'?: string })['*'] ?? '';
}

/** Throws `NOT_FOUND` (404) with the way out if a page is not built. */
export function requireBuilt(folder: string, page: string, name: string): void {
  if (existsSync(join(folder, page))) return;
  throw new AppError({
    code: 'NOT_FOUND',
    kind: 'not_found',
    message: `the ${name} is not built here: run "npm run build", or set CONSOLE=off`,
  });
}
