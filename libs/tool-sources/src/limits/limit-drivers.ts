import type { ToolServerDrivers } from '../servers/open-server.js';
import { LimitedDriver } from './limited-driver.js';
import type { ServerCalls } from './server-calls.js';

/** The same drivers, with limits where what they speak to stands outside: everywhere but in this installation. */
export function limitDrivers(drivers: ToolServerDrivers, calls: ServerCalls): ToolServerDrivers {
  const { builtin, ...outside } = drivers;
  const limited = Object.entries(outside).map(([type, driver]) => [type, new LimitedDriver(driver, calls)]);
  return { ...(builtin !== undefined && { builtin }), ...Object.fromEntries(limited) };
}
