const REMEMBERED_LINES = 40;
const SHOWN_LINES = 8;

/**
 * Why a service is gone, in its own last words.
 * @param {import('./service-process.mjs').ServiceProcess} service
 * @param {{code: number | null, signal: string | null}} end
 */
export function describeExit(service, { code, signal }) {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  const lines = service.lastLines(REMEMBERED_LINES).map(readable).filter(isTelling);
  const words = lines.slice(-SHOWN_LINES).join('\n  ');
  return `${service.name} ended (${how})${words === '' ? '.' : `:\n  ${words}`}`;
}

/** The log has the stack; what happened is in the other lines. @param {string} line */
function isTelling(line) {
  return line.trim() !== '' && !/^\s+at /u.test(line);
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
