import type { Decision, Execution, WaitingCall } from '../client/index.js';
import { callLines } from './format/execution-lines.js';
import type { Session } from './session.js';

const OUTCOMES = { h: 'happened', n: 'did_not_happen', u: 'unknown' } as const;

/**
 * Asks the person at the terminal about each waiting call, and sends the decisions.
 * @returns whether every call was decided
 */
export async function askDecisions(session: Session, execution: Execution): Promise<boolean> {
  const calls = execution.required_action?.calls ?? [];
  const decisions: Decision[] = [];
  for (const call of calls) {
    for (const line of callLines(call)) session.surroundings.write(`${line}\n`);
    const decision = await ask(session, call);
    if (decision !== null) decisions.push(decision);
  }
  if (decisions.length === 0) return false;
  await session.client.executions.decide(execution.id, { decisions }, { signal: session.signal });
  return decisions.length === calls.length;
}

async function ask(session: Session, { call, asks }: WaitingCall): Promise<Decision | null> {
  const { ask: question } = session.surroundings;
  if (asks === 'outcome') {
    const answer = await question(
      'Did it happen? [h]appened, did [n]ot happen, [u]nknown, anything else: later ',
    );
    const outcome = OUTCOMES[answer.trim().toLowerCase() as keyof typeof OUTCOMES] as
      (typeof OUTCOMES)[keyof typeof OUTCOMES] | undefined;
    return outcome === undefined ? null : { call, outcome, reason: '' };
  }
  const answer = (await question('Allow it? [y]es, [n]o, anything else: later ')).trim().toLowerCase();
  if (answer === 'y' || answer === 'yes') return { call, approved: true, reason: '' };
  if (answer !== 'n' && answer !== 'no') return null;
  return { call, approved: false, reason: (await question('Why? The model reads it. ')).trim() };
}
