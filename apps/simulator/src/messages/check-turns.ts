import { invalidRequest, type ApiError } from '../http/api-error.js';
import type { Turn } from './messages-request-schema.js';

/**
 * Refuses conversations that the Messages API refuses: one that begins with an answer, ids that come twice, and calls whose
 * results do not begin the next turn. Throws 400.
 */
export function checkTurns(turns: readonly Turn[]): void {
  if (turns[0]?.role !== 'user')
    throw invalidRequest('messages: first message must use the "user" role', 'messages');
  checkResults([], turns[0], 0);
  const used = new Set<string>();
  turns.forEach((turn, index) => {
    const calls = turn.role === 'assistant' ? callsOf(turn) : [];
    for (const id of calls) {
      if (used.has(id)) throw invalidRequest('messages: `tool_use` ids must be unique', 'messages');
      used.add(id);
    }
    checkResults(calls, turns[index + 1], index + 1);
    if (turn.role === 'assistant') checkLastBlock(turn, index);
  });
}

function callsOf({ content }: Extract<Turn, { role: 'assistant' }>): string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((block) => (block.type === 'tool_use' ? block.id : []));
}

function checkResults(calls: readonly string[], next: Turn | undefined, place: number): void {
  const given = resultsOf(next);
  const missing = calls.filter((id) => !given.includes(id));
  if (missing.length > 0) {
    throw invalidRequest(
      `messages.${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. ` +
        'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      `messages.${place}`,
    );
  }
  const odd = given.find((id) => !calls.includes(id));
  if (odd !== undefined) throw oddResult(odd, place);
}

/** Results after another block do not count. */
function resultsOf(turn: Turn | undefined): string[] {
  if (turn?.role !== 'user' || typeof turn.content === 'string') return [];
  const end = turn.content.findIndex(({ type }) => type !== 'tool_result');
  const leading = end === -1 ? turn.content : turn.content.slice(0, end);
  return leading.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : []));
}

function oddResult(id: string, place: number): ApiError {
  const message = `messages.${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}.`;
  return invalidRequest(message, `messages.${place}`);
}

function checkLastBlock({ content }: Extract<Turn, { role: 'assistant' }>, place: number): void {
  const last = typeof content === 'string' ? undefined : content.at(-1);
  if (last?.type !== 'thinking' && last?.type !== 'redacted_thinking') return;
  const message = `messages.${place}: The final block in an assistant message cannot be \`thinking\`.`;
  throw invalidRequest(message, `messages.${place}`);
}
