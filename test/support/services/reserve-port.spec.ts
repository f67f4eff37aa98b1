import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { clearLockedPorts } from 'get-port';
import { reservePort } from './reserve-port.js';

const fileOf = (port: number): string => join(tmpdir(), 'capstan-test-ports', String(port));
/** Makes `reservePort` try this port first. */
const drawing = (port: number): void => {
  jest.spyOn(Math, 'random').mockReturnValueOnce((port - 10_000 + 0.5) / 22_000);
};

// The package itself reserves its ports for some seconds, within one process.
beforeEach(clearLockedPorts);
afterEach(() => {
  jest.restoreAllMocks();
});

it('gives a port to one process at a time', async () => {
  const port = await reservePort();
  expect(existsSync(fileOf(port))).toBe(true);
  clearLockedPorts();
  drawing(port);
  expect(await reservePort()).not.toBe(port);
});

it('takes over the port of a process that was killed', async () => {
  const port = await reservePort();
  // Linux gives no process id above 4194304.
  writeFileSync(fileOf(port), '4194305');
  clearLockedPorts();
  drawing(port);
  expect(await reservePort()).toBe(port);
});
