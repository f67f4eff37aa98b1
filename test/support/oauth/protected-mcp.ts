import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveRealMcp, type ServedMcp } from '../mcp/serve-real-mcp.js';
import type { AuthorizationServer } from './authorization-server.js';

/** A real MCP server that requires an access token of its authorization server. */
export interface ProtectedMcp extends ServedMcp {
  /** The tokens of the requests, in order; null for a request without one. */
  readonly seen: (string | null)[];
  /** The scope that a token needs. */
  neededScope: string;
  /** Overrides of the server's resource metadata; by default none. */
  resource: Record<string, unknown>;
}

export async function serveProtectedMcp(authorization: AuthorizationServer): Promise<ProtectedMcp> {
  const seen: (string | null)[] = [];
  const made = { neededScope: '', resource: {} as Record<string, unknown> };
  const admit = (request: IncomingMessage, response: ServerResponse): boolean => {
    const origin = `http://${String(request.headers.host)}`;
    const { pathname } = new URL(request.url ?? '', origin);
    const metadata = '/.well-known/oauth-protected-resource';
    if (pathname.startsWith(metadata)) {
      const resource = `${origin}${pathname.slice(metadata.length)}`;
      const described = { resource, authorization_servers: [authorization.origin], ...made.resource };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(described));
      return false;
    }
    const [, token = null] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    seen.push(token);
    const scope = token === null ? null : authorization.scopeOf(token);
    const wanted = `resource_metadata="${origin}${metadata}${pathname}"`;
    if (scope === null) {
      response.writeHead(401, { 'www-authenticate': `Bearer ${wanted}` }).end();
      return false;
    }
    if (made.neededScope === '' || scope.split(' ').includes(made.neededScope)) return true;
    const insufficient = `error="insufficient_scope", scope="${made.neededScope}"`;
    response.writeHead(403, { 'www-authenticate': `Bearer ${insufficient}, ${wanted}` }).end();
    return false;
  };
  return Object.assign(made, await serveRealMcp(admit), { seen });
}
