import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Schemas } from '../../client/index.js';
import type { Act } from '../act.js';
import { EXIT } from '../exit-codes.js';
import { limitOption, textsOf } from '../options.js';

type NewKey = Schemas['NewApiKey'];

export function addAdministrationCommands(program: Command, act: Act): void {
  const keys = program.command('keys').description('API keys; for keys with the scope admin');
  keys
    .command('list', { isDefault: true })
    .description('list API keys')
    .option('--tenant <id>', 'of this tenant')
    .addOption(limitOption())
    .action(
      act(async (session, { tenant, limit }: { readonly tenant?: string; readonly limit: number }) => {
        const query = { limit: Math.min(limit, 100), ...(tenant !== undefined && { tenant_id: tenant }) };
        await session.showList(session.client.apiKeys.list(query, { signal: session.signal }), limit, [
          { title: 'ID', of: ({ id }) => id },
          { title: 'NAME', of: ({ name }) => name },
          { title: 'STATUS', of: ({ status }) => status },
          { title: 'TENANT', of: ({ tenant_id }) => tenant_id },
          { title: 'LAST USED', of: ({ last_used_at }) => last_used_at },
          { title: 'EXPIRES', of: ({ expires_at }) => expires_at },
          { title: 'SCOPES', of: ({ scopes }) => scopes.join(' '), isWide: true },
        ]);
        return EXIT.done;
      }),
    );
  keys
    .command('create')
    .description('make an API key, which is shown once')
    .argument('<name>', 'purpose of the key')
    .requiredOption('--scopes <names>', 'a subset of the scopes of the key that asks, with commas between')
    .option('--tenant <id>', 'tenant that it acts for')
    .option('--expires-at <time>', 'it is good before this time')
    .action(
      act(
        async (
          session,
          name: string,
          options: {
            readonly scopes: string;
            readonly tenant?: string;
            readonly expiresAt?: string;
          },
        ) => {
          const { scopes, tenant, expiresAt } = options;
          const body: NewKey = {
            name,
            scopes: textsOf(scopes) as NewKey['scopes'],
            ...(tenant !== undefined && { tenant_id: tenant }),
            ...(expiresAt !== undefined && { expires_at: expiresAt }),
          };
          const made = await session.client.apiKeys.create(body, { signal: session.signal });
          session.show(made, [made.key]);
          return EXIT.done;
        },
      ),
    );
  keys
    .command('revoke')
    .description('end an API key')
    .argument('<id>', 'id of the key')
    .action(
      act(async (session, id: string) => {
        const key = await session.client.apiKeys.revoke(id, { signal: session.signal });
        session.show(key, [`Key ${key.id} is ${key.status}.`]);
        return EXIT.done;
      }),
    );

  program
    .command('tenants')
    .description('list tenants; for keys with the scope admin')
    .addOption(limitOption())
    .action(
      act(async (session, { limit }: { readonly limit: number }) => {
        const items = session.client.tenants.list(
          { limit: Math.min(limit, 100) },
          { signal: session.signal },
        );
        await session.showList(items, limit, [
          { title: 'ID', of: ({ id }) => id },
          { title: 'NAME', of: ({ name }) => name, isWide: true },
          { title: 'STATUS', of: ({ status }) => status },
          { title: 'CREATED', of: ({ created_at }) => created_at },
        ]);
        return EXIT.done;
      }),
    );

  program
    .command('usage')
    .description('sum tokens and cost of model calls; of the last 30 days')
    .addOption(
      new Option('--by <group>', 'what to sum by; also metadata.KEY, of the executions')
        .choices(GROUPS)
        .argParser(groupOf)
        .default('model'),
    )
    .option('--from <time>', 'calls at this time or later: a date, or a time with its zone')
    .option('--to <time>', 'calls before this time')
    .addOption(limitOption())
    .action(
      act(
        async (
          session,
          { by, from, to, limit }: { by: Group; from?: string; to?: string; readonly limit: number },
        ) => {
          const query = {
            group_by: by,
            limit: Math.min(limit, 100),
            ...(from !== undefined && { from }),
            ...(to !== undefined && { to }),
          };
          await session.showList(session.client.usage.list(query, { signal: session.signal }), limit, [
            { title: by.toUpperCase(), of: (row) => valueOf(row, by), isWide: true },
            { title: 'CALLS', of: ({ calls }) => calls },
            { title: 'FAILED', of: ({ failed_calls }) => failed_calls },
            { title: 'INPUT', of: ({ input_tokens }) => input_tokens },
            { title: 'OUTPUT', of: ({ output_tokens }) => output_tokens },
            { title: 'COST USD', of: ({ total_cost_usd }) => total_cost_usd ?? null },
          ]);
          return EXIT.done;
        },
      ),
    );
}

const GROUPS = ['model', 'agent', 'executor', 'day', 'tenant', 'scope'] as const;
type Group = (typeof GROUPS)[number] | `metadata.${string}`;

function groupOf(text: string): Group {
  const known = GROUPS.find((group) => group === text);
  if (known !== undefined) return known;
  if (/^metadata\../s.test(text)) return text as Group;
  throw new InvalidArgumentError(`It is one of ${GROUPS.join(', ')}, or metadata.KEY.`);
}

function valueOf(row: Schemas['Usage'], by: Group): string | number | null {
  const { model, agent_id: agent, executor_id: executor, day, tenant_id: tenant, scope } = row;
  const values: Readonly<Record<string, string | number | null>> = {
    model,
    agent,
    executor,
    day,
    tenant,
    scope,
  };
  return values[by] ?? row.metadata_value;
}
