import type { ChaosWorld } from '../ledgers/chaos-world.js';
import type { MessageRow } from '../ledgers/database-ledger.js';
import { groupBy, type Violation } from './violation.js';

/** I9: a conversation is a list of turns in order; a completed turn is the user's message and then the answer. */
export function checkConversationOrder(world: ChaosWorld): Violation[] {
  const turns = new Map(world.database.executions.map((row) => [row.id, row]));
  const violations: Violation[] = [];
  const broken = (subject: string, detail: string) => violations.push({ invariant: 'I9', subject, detail });

  for (const [sessionId, messages] of groupBy(world.database.messages, (message) => message.sessionId)) {
    const byCommit = messages.toSorted((one, other) => one.id - other.id);
    for (const [index, message] of byCommit.entries()) {
      const before = byCommit[index - 1];
      if (before && before.turnNumber > message.turnNumber)
        broken(sessionId, `turn ${message.turnNumber} was stored after turn ${before.turnNumber}`);
    }
  }
  for (const [executionId, messages] of groupBy(world.database.messages, (message) => message.executionId)) {
    const turn = turns.get(executionId);
    if (messages.some((message, index) => message.ordinal !== index))
      broken(executionId, `its messages are numbered ${messages.map((message) => message.ordinal).join()}`);
    if (turn && messages.some((message) => message.turnNumber !== turn.turnNumber))
      broken(executionId, `its messages stand in another turn than ${turn.turnNumber}`);
  }
  const messages = groupBy(world.database.messages, (message) => message.executionId);
  for (const { id, status } of world.database.executions) {
    if (status !== 'completed') continue;
    const roles = rolesOf(messages.get(id) ?? []);
    if (roles !== 'user assistant') broken(id, `is completed with the messages: ${roles || 'none'}`);
  }
  return violations;
}

function rolesOf(messages: readonly MessageRow[]): string {
  return messages
    .map((message) => message.role)
    .filter((role) => role !== 'system')
    .join(' ');
}

/** I11: each request to the model holds the answers of all completed turns before it. */
export function checkNoLostTurn(world: ChaosWorld): Violation[] {
  const sessions = groupBy(world.database.executions, (row) => row.sessionId);
  // A called agent sees nothing of the conversation.
  const own = world.modelRequests.filter(({ scope }) => scope === '');
  const requests = groupBy(own, (request) => request.key ?? '');
  const violations: Violation[] = [];
  for (const turns of sessions.values()) {
    const ordered = turns.toSorted((one, other) => one.turnNumber - other.turnNumber);
    const answered: string[] = [];
    for (const turn of ordered) {
      for (const request of requests.get(turn.key ?? '') ?? []) {
        const missing = answered.filter((key) => !request.knownAnswers.includes(key));
        if (missing.length === 0) continue;
        violations.push({
          invariant: 'I11',
          subject: turn.id,
          detail: `the model was asked without the answers to ${missing.join(', ')}`,
        });
        break;
      }
      if (turn.status === 'completed' && turn.key !== null) answered.push(turn.key);
    }
  }
  return violations;
}
