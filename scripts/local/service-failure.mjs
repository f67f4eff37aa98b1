const SHOWN_LINES = 12;

/**
 * Why a service is gone, in its own last words.
 * @param {import('./service-process.mjs').ServiceProcess} service
 * @param {{code: number | null, signal: string | null}} end
 */
export function describeExit(service, { code, signal }) {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  const words = service.lastLines(SHOWN_LINES).map(readable).join('\n  ');
  return `${service.name} ended (${how})${words === '' ? '.' : `:\n  ${words}`}`;
}

/** A line of the structured log as its message; any other line as it is. @param {string} line */
function readable(line) {
  try {
    const entry = JSON.parse(line);
    const reason = entry.err?.message ?? entry.error?.message;
    const text = [entry.msg, reason].filter((part) => typeof part === 'string' && part !== '').join(': ');
    return text === '' ? line : text;
  } catch {
    return line;
  }
}
