import type { Command } from 'commander';
import { findAgent } from '../find-agent.js';
import { followToEnd } from '../follow-to-end.js';
import type { Act } from '../act.js';
import { EXIT } from '../exit-codes.js';
import { durationOf, endLines } from '../format/execution-lines.js';
import { addField, limitOption } from '../options.js';

interface RunOptions {
  readonly follow?: boolean;
  readonly wait?: boolean;
  readonly session?: string;
  readonly executor?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
}

/** Commands that submit, follow and list executions. */
export function addExecutionCommands(program: Command, act: Act): void {
  program
    .command('run')
    .description('submit work for an agent')
    .argument('<agent>', 'id or name of the agent')
    .argument('<input>', 'message of the user; - reads the standard input')
    .option('-f, --follow', 'show text and tool calls as they come, until it has ended')
    .option('-w, --wait', 'wait for its end and show the answer')
    .option('--session <uuid>', 'conversation to continue')
    .option('--executor <user>', 'person for whom the agent acts')
    .option('--metadata <key=value>', 'a key of your own; may come several times', addField)
    .option('--idempotency-key <key>', 'repeated under its key within 24 hours, it is the same execution')
    .action(
      act(async (session, agent: string, input: string, options: RunOptions) => {
        const { client, signal } = session;
        const { executor, session: uuid, metadata, idempotencyKey, follow, wait } = options;
        const id = await findAgent(client, agent, signal);
        const text = input === '-' ? await session.surroundings.readInput() : input;
        const execution = await client.executions.submit(
          id,
          {
            input: text,
            ...(uuid !== undefined && { session_uuid: uuid }),
            ...(executor !== undefined && { executor: { user_id: executor } }),
            ...(metadata !== undefined && { metadata }),
          },
          { signal, idempotencyKey },
        );
        if (follow !== true && wait !== true) {
          session.show(execution, [execution.id]);
          return EXIT.done;
        }
        session.note(`Execution ${execution.id}`);
        return followToEnd(session, execution.id, follow === true);
      }),
    );

  program
    .command('watch')
    .description('show the events of an execution as they come, until it has ended')
    .argument('<id>', 'id of the execution')
    .action(act((session, id: string) => followToEnd(session, id, true)));

  program
    .command('runs')
    .description('list executions, newest first')
    .option(
      '--status <names>',
      'statuses, with commas between: queued, running, requires_action, completed, incomplete, failed, cancelled',
    )
    .option('--agent <agent>', 'id or name of the agent')
    .option('--session <uuid>', 'conversation')
    .option('--executor <user>', 'person for whom it acts')
    .option('--error-code <code>', 'code of its failure')
    .option('--tool <name>', 'tool that it called')
    .option('--from <time>', 'created at this time or later: a date, or a time with its zone')
    .option('--to <time>', 'created before this time')
    .addOption(limitOption())
    .action(
      act(async (session, options: Readonly<Record<string, string>> & { readonly limit: number }) => {
        const { agent, status, executor, from, to, tool, limit } = options;
        const query = {
          status,
          from,
          to,
          session_uuid: options['session'],
          executor_id: executor,
          error_code: options['errorCode'],
          tool_name: tool,
          agent_id: agent === undefined ? undefined : await findAgent(session.client, agent, session.signal),
          limit: Math.min(limit, 100),
        };
        await session.showList(
          session.client.executions.list(query as object, { signal: session.signal }),
          limit,
          [
            { title: 'ID', of: ({ id }) => id },
            { title: 'STATUS', of: ({ status: is }) => is },
            { title: 'AGENT', of: ({ agent_id }) => agent_id },
            { title: 'CREATED', of: ({ created_at }) => created_at },
            { title: 'TOOK', of: ({ started_at, finished_at }) => durationOf(started_at, finished_at) },
            { title: 'COST USD', of: ({ usage }) => usage?.total_cost_usd ?? null },
            { title: 'INPUT', of: (row) => row.input, isWide: true },
          ],
        );
        return EXIT.done;
      }),
    );

  program
    .command('steps')
    .description('list the tool calls of an execution')
    .argument('<id>', 'id of the execution')
    .addOption(limitOption(1_000))
    .action(
      act(async (session, id: string, { limit }: { readonly limit: number }) => {
        await session.showList(
          session.client.executions.listSteps(id, {}, { signal: session.signal }),
          limit,
          [
            {
              title: 'CALL',
              of: ({ scope, round, position }) => `${scope === '' ? '' : `${scope}:`}${round}.${position}`,
            },
            { title: 'TOOL', of: ({ tool_name }) => tool_name },
            { title: 'STATUS', of: ({ status }) => status },
            { title: 'TOOK', of: ({ started_at, finished_at }) => durationOf(started_at, finished_at) },
            { title: 'INPUT', of: ({ input }) => JSON.stringify(input), isWide: true },
            { title: 'OUTPUT', of: ({ error, output }) => JSON.stringify(error ?? output), isWide: true },
          ],
        );
        return EXIT.done;
      }),
    );

  program
    .command('cancel')
    .description('cancel an execution')
    .argument('<id>', 'id of the execution')
    .action(
      act(async (session, id: string) => {
        const execution = await session.client.executions.cancel(id, { signal: session.signal });
        session.show(execution, endLines(execution));
        return EXIT.done;
      }),
    );

  program
    .command('retry')
    .description('run an execution again that has failed, was cancelled or is incomplete')
    .argument('<id>', 'id of the execution')
    .option('--even-if-completed', 'also one that has completed, which does its work twice')
    .option('-f, --follow', 'show the new execution as it goes')
    .option('-w, --wait', 'wait for its end')
    .action(
      act(async (session, id: string, options: RunOptions & { readonly evenIfCompleted?: boolean }) => {
        const body = { even_if_completed: options.evenIfCompleted ?? false };
        const execution = await session.client.executions.retry(id, body, { signal: session.signal });
        if (options.follow === true || options.wait === true) {
          session.note(`Execution ${execution.id}`);
          return followToEnd(session, execution.id, options.follow === true);
        }
        session.show(execution, [execution.id]);
        return EXIT.done;
      }),
    );
}
