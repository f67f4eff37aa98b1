import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import {
  type AddressPolicy,
  isCallableAddress,
  isPrivateHost,
  type PrivateHost,
  REFUSED_ADDRESS_TEXT,
} from './address-policy.js';

/** At least one address of the host must not be called. */
export class BlockedAddressError extends Error {
  constructor() {
    super(REFUSED_ADDRESS_TEXT);
  }
}

export interface GuardOptions {
  /** Permits loopback addresses, for development. */
  readonly allowLoopback: boolean;
  /** Hosts that may be called at any address; none by default. */
  readonly privateHosts?: readonly PrivateHost[];
  /** Milliseconds to establish a connection, and again to receive the response headers. */
  readonly timeoutMs: number;
  /** Certificate authorities in PEM, instead of those that Node trusts. */
  readonly ca?: string;
  /** Replaces the system's resolver, for tests. */
  readonly lookup?: LookupFunction;
  /** Whether connections are reused; default true. If false, each request has a connection of its own. */
  readonly reusesConnections?: boolean;
  /** Maximum connections per origin; further requests wait. Unlimited by default. */
  readonly connectionsPerOrigin?: number;
}

/**
 * An HTTP agent that checks addresses when it connects: the lookup that is checked is the one that is connected to,
 * which rules out DNS rebinding. Proxies from the environment are ignored.
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
    // A literal address never reaches the lookup.
    if (isIP(host) !== 0 && !isCallableAddress(host, policy)) {
      callback(new BlockedAddressError(), null);
      return;
    }
    connect(target, callback);
  };
}

/**
 * Resolves to checked addresses only. One forbidden address blocks the whole name, since the socket may choose any of
 * them.
 */
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
