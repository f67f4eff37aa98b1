import type { JsonObject } from '#libs/kernel';
import { ServerSelection, serverSelectionSchema } from '#libs/tool-sources';
import { serverToolPrefix } from '#libs/tooling';
import { pointerTo, type FieldError } from '../http/request-errors.js';

const HERE = ['tools', 'servers'] as const;

/**
 * Tools that each server offered when it was last inspected, by server name, as models call them; null for a server not yet
 * inspected with its current configuration.
 */
export type KnownServers = ReadonlyMap<string, readonly string[] | null>;

/** Reads `tools.servers` of an agent: the selected names, or the faults. */
export function readServerSelection({
  servers,
}: JsonObject):
  | { readonly kind: 'read'; readonly names: readonly string[] }
  | { readonly kind: 'faults'; readonly faults: readonly FieldError[] } {
  const read = serverSelectionSchema.safeParse(servers);
  if (read.success) return { kind: 'read', names: read.data };
  const faults = read.error.issues.map(({ path, message }) => ({
    pointer: pointerTo([...HERE, ...path]),
    detail: message,
  }));
  return { kind: 'faults', faults };
}

/** Finds names of missing servers, and of tools that the named server is known not to offer. */
export function findServerFaults(names: readonly string[], servers: KnownServers): FieldError[] {
  return names.flatMap((name, index) => {
    const pointer = pointerTo([...HERE, index]);
    const [server] = new ServerSelection([name]).namedServers;
    if (server === undefined) return [];
    if (!servers.has(server))
      return [{ pointer, detail: `must name a tool server of the tenant: ${known(servers.keys())}` }];
    const tools = servers.get(server) ?? null;
    if (name === `${serverToolPrefix(server)}*` || tools === null || tools.includes(name)) return [];
    return [{ pointer, detail: `must name a tool that the server offers: ${known(tools)}` }];
  });
}

const MAX_NAMED = 20;

function known(names: Iterable<string>): string {
  const all = [...names];
  const more = all.length > MAX_NAMED ? ', …' : '';
  return all.length === 0 ? 'there are none' : `${all.slice(0, MAX_NAMED).join(', ')}${more}`;
}
