import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { clearLockedPorts } from 'get-port';
import { planPorts } from './ports.ts';

describe('the ports of a command', () => {
  const holders: ReturnType<typeof createServer>[] = [];
  const take = async (port: number): Promise<number> => {
    const holder = createServer().listen({ port, host: '127.0.0.1' });
    holders.push(holder);
    await once(holder, 'listening');
    return (holder.address() as AddressInfo).port;
  };
  afterEach(() => {
    for (const holder of holders.splice(0)) holder.close();
    clearLockedPorts();
  });

  it('are those that the user has set where they are free', async () => {
    const free = await take(0);
    holders.pop()?.close();

    const { ports, moved } = await planPorts({ PORT: String(free) });

    expect(ports.api).toBe(free);
    expect(moved.filter((sentence) => sentence.includes(': api '))).toEqual([]);
  });

  it('move on from a port that is taken, past those of the other services, and say so', async () => {
    const taken = await take(0);
    const settings = { PORT: taken, WORKER_PORT: taken + 1, SIMULATOR_PORT: taken + 2 };

    const { ports, moved } = await planPorts(
      Object.fromEntries(Object.entries(settings).map(([name, port]) => [name, String(port)])),
    );

    expect([taken, taken + 1, taken + 2]).not.toContain(ports.api);
    expect(new Set(Object.values(ports)).size).toBe(3);
    expect(moved).toContain(`Port ${taken} is taken: api listens on ${ports.api}.`);
  });

  it.each(['0', '65536', 'http', '3000.5'])('are numbers, not "%s"', async (text) => {
    await expect(planPorts({ WORKER_PORT: text })).rejects.toThrow(
      `WORKER_PORT must be a port number between 1 and 65535, not "${text}".`,
    );
  });
});
