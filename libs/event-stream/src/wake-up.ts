/** PostgreSQL refuses a payload of 8 000 bytes. */
const MOST_BYTES = 7_900;
const SEPARATOR = '\n';

/** As few messages as have room for the executions whose streams have grown. */
export function toMessages(executionIds: Iterable<string>): string[] {
  const messages: string[] = [];
  let [lines, bytes]: [string[], number] = [[], 0];
  for (const line of new Set(executionIds)) {
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

/** The executions that a message names. */
export function parseMessage(message: string): string[] {
  return message.split(SEPARATOR);
}
