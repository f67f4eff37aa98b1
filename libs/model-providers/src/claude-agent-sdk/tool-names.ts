/** Name of the server by which the engine knows the tools of this service. */
export const TOOL_SERVER = 'capstan';
const PREFIX = `mcp__${TOOL_SERVER}__`;

/** Name of a tool as the engine shows it to the model. */
export function toEngineName(name: string): string {
  return `${PREFIX}${name}`;
}

/** Name of a tool here; another one, which the model made up, stays as it is. */
export function fromEngineName(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}
