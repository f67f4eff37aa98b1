import { describe, expect, it } from '@jest/globals';
import type { EventStreamHealth } from '#libs/event-stream';
import type { QueueHealth } from '#libs/queue';
import type { DataSource } from 'typeorm';
import type { Companion } from './companion.js';
import { CheckReadiness, HealthController } from './health.controller.js';

const well = { check: () => Promise.resolve() };

function controllerBeside(companion?: Companion): HealthController {
  const database = { query: () => Promise.resolve([]) } as unknown as DataSource;
  const queue = well as QueueHealth;
  const events = well as EventStreamHealth;
  return new HealthController(new CheckReadiness(database, queue, events, companion), companion);
}

const working = { isLive: true, checkReady: () => Promise.resolve() };
const NOT_READY = { code: 'NOT_READY', kind: 'unavailable' };

describe('the health of an API', () => {
  it.each([
    ['alone', undefined],
    ['beside a worker that works', working],
  ])('is well, %s', async (_where, companion) => {
    expect(controllerBeside(companion).live()).toEqual({ status: 'ok' });
    expect(await controllerBeside(companion).ready()).toEqual({ status: 'ok' });
  });

  it('is that of the worker beside it as well', async () => {
    const starting = { ...working, checkReady: () => Promise.reject(new Error('still starting')) };
    expect(controllerBeside(starting).live()).toEqual({ status: 'ok' });
    await expect(controllerBeside(starting).ready()).rejects.toMatchObject(NOT_READY);

    const stuck = { ...working, isLive: false };
    expect(() => controllerBeside(stuck).live()).toThrow(expect.objectContaining(NOT_READY));
  });
});
