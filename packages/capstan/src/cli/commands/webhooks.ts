import type { Command } from 'commander';
import type { Act } from '../act.js';
import { EXIT } from '../exit-codes.js';
import { limitOption, wholeNumberOf } from '../options.js';

interface DeliveriesOptions {
  readonly status?: string;
  readonly execution?: string;
  readonly endpoint?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

export function addWebhookCommands(program: Command, act: Act): void {
  program
    .command('deliveries')
    .description('list webhook deliveries, newest first')
    .option('--status <names>', 'statuses, with commas between')
    .option('--execution <id>', 'of this execution')
    .option('--endpoint <id>', 'to this endpoint')
    .option('--from <time>', 'created at this time or later: a date, or a time with its zone')
    .option('--to <time>', 'created before this time')
    .addOption(limitOption())
    .action(
      act(async (session, { status, execution, endpoint, from, to, limit }: DeliveriesOptions) => {
        const query = {
          status,
          from,
          to,
          execution_id: execution,
          endpoint_id: endpoint,
          limit: Math.min(limit, 100),
        };
        const items = session.client.webhookDeliveries.list(query as object, { signal: session.signal });
        await session.showList(items, limit, [
          { title: 'ID', of: ({ id }) => id },
          { title: 'STATUS', of: (row) => row.status },
          { title: 'TYPE', of: ({ type }) => type },
          { title: 'TRIES', of: ({ attempt_count }) => attempt_count },
          { title: 'NEXT TRY', of: ({ next_attempt_at }) => next_attempt_at },
          { title: 'EXECUTION', of: ({ execution_id }) => execution_id },
          { title: 'URL', of: ({ url }) => url, isWide: true },
        ]);
        return EXIT.done;
      }),
    );

  program
    .command('test-webhook')
    .description('send a test event to a webhook endpoint')
    .argument('<endpoint>', 'id of the endpoint', wholeNumberOf)
    .action(
      act(async (session, endpoint: number) => {
        const delivery = await session.client.webhookEndpoints.test(endpoint, { signal: session.signal });
        session.show(delivery, [`Delivery ${delivery.id} is ${delivery.status}.`]);
        return EXIT.done;
      }),
    );

  program
    .command('redeliver')
    .description('send a webhook delivery again')
    .argument('<id>', 'id of the delivery')
    .action(
      act(async (session, id: string) => {
        const delivery = await session.client.webhookDeliveries.redeliver(id, { signal: session.signal });
        session.show(delivery, [`Delivery ${delivery.id} is ${delivery.status}.`]);
        return EXIT.done;
      }),
    );
}
