/** Path of the console, without the slash at its end. */
export const CONSOLE_PATH = '/console';

/** Whether the route serves a file of the console. */
export function isConsole(url: string): boolean {
  return url === CONSOLE_PATH || url.startsWith(`${CONSOLE_PATH}/`);
}
