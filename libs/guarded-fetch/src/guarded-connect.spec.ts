import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { BlockedAddressError, guardedLookup } from './guarded-connect.js';

const PUBLIC: LookupAddress = { address: '93.184.215.14', family: 4 };
const PUBLIC_6: LookupAddress = { address: '2606:4700::1111', family: 6 };
const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 };

/** A name server that returns the next answer on each query. */
function rebinding(...answers: LookupAddress[][]): LookupFunction {
  let asked = 0;
  return (_hostname, _options, callback) => callback(null, answers[asked++] ?? []);
}

function ask(lookup: LookupFunction, all: boolean): Promise<unknown> {
  return new Promise((resolve) => {
    lookup('example.com', { all }, (error, address, family) => resolve(error ?? [address, family]));
  });
}

describe('guardedLookup', () => {
  it('gives the socket every address it has checked', async () => {
    const lookup = guardedLookup(rebinding([PUBLIC, PUBLIC_6]), { allowLoopback: false });
    expect(await ask(lookup, true)).toEqual([[PUBLIC, PUBLIC_6], undefined]);
  });

  it('gives the first one to a socket that wants one', async () => {
    const lookup = guardedLookup(rebinding([PUBLIC_6, PUBLIC]), { allowLoopback: false });
    expect(await ask(lookup, false)).toEqual([PUBLIC_6.address, 6]);
  });

  it('blocks a name that was public when it was asked before (W7)', async () => {
    const lookup = guardedLookup(rebinding([PUBLIC], [LOOPBACK]), { allowLoopback: false });
    expect(await ask(lookup, true)).toEqual([[PUBLIC], undefined]);
    expect(await ask(lookup, true)).toBeInstanceOf(BlockedAddressError);
  });

  it.each([
    ['one address of several is not public', [PUBLIC, LOOPBACK]],
    ['there is no address', []],
  ])('blocks a name when %s', async (_name, answer) => {
    expect(await ask(guardedLookup(rebinding(answer), { allowLoopback: false }), true)).toBeInstanceOf(
      BlockedAddressError,
    );
  });

  it('passes on why a name is not known', async () => {
    const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    const lookup = guardedLookup((_hostname, _options, callback) => callback(unknown, ''), {
      allowLoopback: false,
    });
    expect(await ask(lookup, true)).toBe(unknown);
  });
});
