import type { ToolServerDrivers } from '../servers/open-server.js';
import { LimitedDriver } from './limited-driver.js';
import type { ServerCalls } from './server-calls.js';

/** Applies limits to all drivers except the built-in one, which calls nothing outside. */
export function limitDrivers(drivers: ToolServerDrivers, calls: ServerCalls): ToolServerDrivers {
  const entries = Object.entries(drivers).map(([type, driver]) => {
    return [type, type === 'builtin' ? driver : new LimitedDriver(driver, calls)] as const;
  });
  return Object.fromEntries(entries) satisfies ToolServerDrivers;
}
