/** What those who wait for an execution learn from its append. */
export interface WakeUp {
  readonly executionId: string;
  /** Whether it has settled, or needs a person. */
  readonly isAtRest: boolean;
  /** How it ended, as JSON; null where it has not, or where that is too much for a message. */
  readonly result: string | null;
}

/** PostgreSQL refuses a payload of 8 000 bytes. */
const MOST_BYTES = 7_900;
/** JSON in one line has none. */
const SEPARATOR = '\n';
const AT_REST = ' ';

/** As few messages as have room for them, one line each: the execution, a blank where it is at rest, its result. */
export function toMessages(wakeUps: Iterable<WakeUp>): string[] {
  const messages: string[] = [];
  let [lines, bytes]: [string[], number] = [[], 0];
  for (const line of new Set(Array.from(wakeUps, toLine))) {
    const size = Buffer.byteLength(line) + SEPARATOR.length;
    if (bytes + size > MOST_BYTES && lines.length > 0) {
      messages.push(lines.join(SEPARATOR));
      [lines, bytes] = [[], 0];
    }
    lines.push(line);
    bytes += size;
  }
  if (lines.length > 0) messages.push(lines.join(SEPARATOR));
  return messages;
}

export function parseMessage(message: string): WakeUp[] {
  return message.split(SEPARATOR).map((line) => {
    const end = line.indexOf(AT_REST);
    if (end < 0) return { executionId: line, isAtRest: false, result: null };
    const result = line.slice(end + AT_REST.length);
    return { executionId: line.slice(0, end), isAtRest: true, result: result === '' ? null : result };
  });
}

function toLine({ executionId, isAtRest, result }: WakeUp): string {
  if (!isAtRest) return executionId;
  const line = `${executionId}${AT_REST}${result ?? ''}`;
  return Buffer.byteLength(line) + SEPARATOR.length > MOST_BYTES ? `${executionId}${AT_REST}` : line;
}
