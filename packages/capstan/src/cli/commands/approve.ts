import { Option, type Command } from 'commander';
import type { Decision, Execution, WaitingCall } from '../../client/index.js';
import type { Act } from '../act.js';
import { askDecisions } from '../ask-decisions.js';
import { EXIT } from '../exit-codes.js';
import { UsageError } from '../explain-error.js';
import { endLines } from '../format/execution-lines.js';
import { addText } from '../options.js';

export interface ApproveOptions {
  readonly all?: boolean;
  readonly call?: readonly string[];
  readonly reject?: boolean;
  readonly outcome?: 'happened' | 'did_not_happen' | 'unknown';
  readonly reason?: string;
  readonly person?: string;
}

export function addApproveCommand(program: Command, act: Act): void {
  program
    .command('approve')
    .description('decide over tool calls that wait for a person; asks at a terminal')
    .argument('<id>', 'id of the execution')
    .option('--call <call>', 'this call, as the execution names it; may come several times', addText)
    .option('--all', 'every call that waits')
    .option('--reject', 'refuse them')
    .addOption(
      new Option('--outcome <outcome>', 'what became of calls of unknown outcome').choices([
        ...['happened', 'did_not_happen', 'unknown'],
      ]),
    )
    .option('--reason <text>', 'why; the model reads the reason of a refusal')
    .option('--person <name>', 'the person who decides, kept with the decision')
    .action(
      act(async (session, id: string, options: ApproveOptions) => {
        const { client, signal } = session;
        const execution = await client.executions.get(id, { signal });
        const isNamed = options.all === true || options.call !== undefined;
        if (!isNamed) {
          if (!session.surroundings.canAsk) throw new UsageError('Name the calls: --call, or --all.');
          if (execution.required_action !== null) {
            return (await askDecisions(session, execution)) ? EXIT.done : EXIT.requiresAction;
          }
          session.show(execution, endLines(execution));
          return EXIT.done;
        }
        const { person } = options;
        const body = { decisions: decisionsOf(execution, options), ...(person !== undefined && { person }) };
        const decided: Execution = await client.executions.decide(id, body, { signal });
        session.show(decided, endLines(decided));
        return EXIT.done;
      }),
    );
}

/** Decisions over the calls that are named. Pure. */
export function decisionsOf(
  { required_action }: Pick<Execution, 'required_action'>,
  options: ApproveOptions,
): Decision[] {
  const waiting = required_action?.calls ?? [];
  const asked = options.outcome === undefined ? 'approval' : 'outcome';
  const named = options.call ?? waiting.filter(({ asks }) => asks === asked).map(({ call }) => call);
  if (named.length === 0) {
    throw new UsageError(
      options.outcome === undefined
        ? 'No call waits for approval. For one of unknown outcome give --outcome.'
        : 'No call waits for its outcome.',
    );
  }
  return named.map((call) => decisionOver(call, options));
}

function decisionOver(call: WaitingCall['call'], { outcome, reject, reason = '' }: ApproveOptions): Decision {
  return outcome === undefined ? { call, approved: reject !== true, reason } : { call, outcome, reason };
}
