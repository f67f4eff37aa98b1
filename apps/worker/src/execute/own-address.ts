import { networkInterfaces } from 'node:os';

const ANY_ADDRESS = new Set(['0.0.0.0', '::', '']);

/**
 * URL at which other hosts reach this process: at the address that it listens on, or else at the first external IPv4
 * address of the host; without one, only processes of this host do.
 */
export function ownAddress(host: string, port: number, interfaces = networkInterfaces()): string {
  return `http://${ANY_ADDRESS.has(host) ? externalAddress(interfaces) : bracketed(host)}:${port}`;
}

function externalAddress(interfaces: ReturnType<typeof networkInterfaces>): string {
  const external = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  return external?.address ?? '127.0.0.1';
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
