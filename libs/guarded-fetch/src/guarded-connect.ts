import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isCallableAddress, type AddressPolicy } from './address-policy.js';
import { REFUSED_ADDRESS_TEXT } from './judge-url.js';
import { isPrivateHost, type PrivateHost } from './private-hosts.js';

/** The host stands, at least by one of its addresses, where we must not call. */
export class BlockedAddressError extends Error {
  constructor() {
    super(REFUSED_ADDRESS_TEXT);
  }
}

export interface GuardOptions {
  /** For development: this machine may be called. */
  readonly allowLoopback: boolean;
  /** Hosts that may be called wherever they stand; none by default. */
  readonly privateHosts?: readonly PrivateHost[];
  /** Until a connection stands, and again until the headers have come. */
  readonly timeoutMs: number;
  /** Certificate authorities in PEM, instead of those that Node trusts. */
  readonly ca?: string;
  /** For tests: resolves names instead of the system. */
  readonly lookup?: LookupFunction;
  /** False: every request has a connection of its own, which ends with it. True by default. */
  readonly reusesConnections?: boolean;
  /** To one origin at the same time; what comes beyond waits. As many as are asked for by default. */
  readonly connectionsPerOrigin?: number;
}

/**
 * Connections that are checked where they are made: every address that the name resolves to, in the same look-up whose
 * answer is connected to, so that nothing can change in between (DNS rebinding). Proxies of the environment are not used.
 */
export function guardedAgent(options: GuardOptions): Agent {
  const { allowLoopback, privateHosts = [] } = options;
  const publicly = guardedConnector(options, { allowLoopback });
  const privately = guardedConnector(options, { allowLoopback, allowPrivate: true });
  return new Agent({
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    connections: options.connectionsPerOrigin ?? null,
    pipelining: options.reusesConnections === false ? 0 : 1,
    connect: (target, callback) => {
      const connect = isPrivateHost(target, privateHosts) ? privately : publicly;
      connect(target, callback);
    },
  });
}

function guardedConnector(options: GuardOptions, policy: AddressPolicy): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.timeoutMs,
    lookup: guardedLookup(options.lookup ?? systemLookup, policy),
    allowH2: false,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    // A literal address is never looked up.
    if (isIP(host) !== 0 && !isCallableAddress(host, policy)) {
      callback(new BlockedAddressError(), null);
      return;
    }
    connect(target, callback);
  };
}

/** Answers checked addresses only; one that is not allowed blocks the name, since the socket may choose any of them. */
export function guardedLookup(lookup: LookupFunction, policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : [];
      if (error) {
        callback(error, '');
        return;
      }
      if (addresses.length === 0 || addresses.some(({ address }) => !isCallableAddress(address, policy))) {
        callback(new BlockedAddressError(), '');
        return;
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };
}
