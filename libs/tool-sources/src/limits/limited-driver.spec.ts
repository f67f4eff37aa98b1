import { describe, expect, it } from '@jest/globals';
import {
  ToolServerDriver,
  ToolServerFailure,
  type OpenedServer,
  type ServerTool,
  type ToolContext,
  type ToolServer,
  type ToolServerFault,
} from '#libs/tooling';
import { aTool } from '../../../../test/support/builders/tool.js';
import { ManualTime } from '../../../../test/support/fakes/manual-time.js';
import { limitDrivers } from './limit-drivers.js';
import { LimitedDriver } from './limited-driver.js';
import { ServerCalls } from './server-calls.js';

const NEVER = new AbortController().signal;
const NO_CREDENTIALS = { headers: {}, query: {}, env: {}, security: {}, missing: [] };
const SERVER: ToolServer = {
  id: 'crm',
  tenantId: 'acme',
  name: 'crm',
  version: 1,
  type: 'http',
  config: { url: 'https://crm.example/', headers_template: {} },
  tools: {},
  limits: { timeout_ms: 30_000, concurrency: 1 },
};

class Scripted extends ToolServerDriver {
  closed = 0;
  opened = 0;

  constructor(private readonly script: ServerTool['run'] | ToolServerFault) {
    super();
  }

  override open(): Promise<OpenedServer> {
    this.opened += 1;
    const { script } = this;
    if (typeof script === 'string') return Promise.reject(new ToolServerFailure(script, 'not now'));
    const close = (): Promise<void> => {
      this.closed += 1;
      return Promise.resolve();
    };
    return Promise.resolve({ tools: [aTool('look', { run: script })], warnings: ['w'], close });
  }
}

function limited(script: ServerTool['run'] | ToolServerFault) {
  const [time, driver] = [new ManualTime(), new Scripted(script)];
  const calls = new ServerCalls({ now: () => time.monotonic(), timers: time });
  const wrapped = new LimitedDriver(driver, calls);
  const open = () => wrapped.open(SERVER, NO_CREDENTIALS, null, NEVER);
  return { driver, open, time };
}

const context = { signal: NEVER } as ToolContext;
const failure = (of: Promise<unknown>): Promise<unknown> => of.catch((error: unknown) => error);

it('is no driver of this installation: that stays as it is', () => {
  const drivers = { builtin: new Scripted('refused'), http: new Scripted('refused') };
  const time = new ManualTime();
  const limited = limitDrivers(drivers, new ServerCalls({ now: () => time.monotonic(), timers: time }));
  expect(limited.builtin).toBe(drivers.builtin);
  expect(limited.http).toBeInstanceOf(LimitedDriver);
  expect(Object.keys(limited).toSorted()).toEqual(['builtin', 'http']);
});

describe('a driver with limits', () => {
  it('passes on the offer of the driver unchanged, and closes it', async () => {
    const { driver, open } = limited(() => Promise.resolve({ result: { status: 'success', result: {} } }));
    const server = await open();
    expect(server).toMatchObject({ tools: [{ name: 'look', isForeign: true }], warnings: ['w'] });
    expect(await server.tools[0]?.run({}, context)).toEqual({ result: { status: 'success', result: {} } });
    await server.close();
    expect(driver.closed).toBe(1);
  });

  it('has a call wait while another one is under way', async () => {
    const first = Promise.withResolvers<never>();
    let called = 0;
    const { open, time } = limited(() => {
      called += 1;
      return first.promise;
    });
    const [tool] = (await open()).tools;
    const begun = failure(Promise.resolve(tool?.run({}, context)));
    const refused = failure(Promise.resolve(tool?.run({}, context)));
    await time.pass(10_000);
    expect(await refused).toEqual({
      result: {
        status: 'error',
        result: { message: 'too many calls of the tool server are under way' },
      },
    });
    first.reject(new Error('refused'));
    expect(await begun).toMatchObject({ message: 'refused' });
    expect(called).toBe(1);
  });

  it.each<[ToolServerFault, number]>([
    ['unreachable', 5],
    ['unauthorized', 7],
    ['protocol', 7],
  ])('a server that is %s is opened %i times of seven', async (fault, opened) => {
    const { driver, open } = limited(fault);
    for (let time = 0; time < 5; time += 1)
      expect(await failure(open())).toMatchObject({ name: 'ToolServerFailure', fault, message: 'not now' });
    for (let time = 0; time < 2; time += 1)
      expect(await failure(open())).toMatchObject({ name: 'ToolServerFailure', fault });
    expect(driver.opened).toBe(opened);
  });
});
