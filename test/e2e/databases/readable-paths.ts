import { readOpenApiDocument } from '../../support/openapi/openapi-document.js';

/** Paths of reads that end, with the given id for each resource; those of other resources with an id are left out. */
export function readablePaths(ids: Readonly<Record<string, string>>): string[] {
  return Object.entries(readOpenApiDocument().paths).flatMap(([path, operations]) => {
    const resource = /^\/api\/([a-z-]+)\//.exec(path)?.[1] ?? '';
    const filled = path.replace(/\{\w+\}/, (name) => ids[resource] ?? name);
    const isReadable = 'get' in operations && !filled.includes('{') && !path.endsWith('/events/');
    return isReadable ? [filled] : [];
  });
}
