import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WEBHOOK_DELIVERY_TYPES } from '#libs/payloads';
import {
  WebhookDeliveryPageDto,
  WebhookDeliveryWithAttemptsDto,
} from '../../../../apps/api/src/webhook-deliveries/webhook-deliveries.dto.js';
import { WebhookWorld, type Delivery } from '../../webhooks/webhook-world.js';
import { expectProblem } from '../expect-problem.js';

const DELIVERIES = '/api/webhook-deliveries/';
const NOT_FOUND = { status: 404, code: 'NOT_FOUND', detail: 'Webhook delivery not found' };
const ID_WORDS = 'must be the id of a webhook delivery';
const NUMBER_WORDS = 'must be a whole number from 1 to 2147483647';

let world: WebhookWorld;
let endpointIds: number[];
/** Deliveries, oldest first: two to the first endpoint, then one to the second. */
let deliveries: Delivery[];

beforeAll(async () => {
  world = await WebhookWorld.open();
  const first = (await world.register({ events: ['execution.completed'] })).id;
  deliveries = [await world.notify(first), await world.notify(first)];
  await world.ask(`/api/webhook-endpoints/${first}/`, { method: 'PATCH', json: { is_active: false } });
  const second = (await world.register()).id;
  deliveries.push(await world.notify(second));
  endpointIds = [first, second];
});
afterAll(() => world.close());

async function idsOf(query: string): Promise<string[]> {
  const page = WebhookDeliveryPageDto.create((await world.ask(`${DELIVERIES}${query}`)).body);
  return page.data.map((delivery) => delivery.id);
}
const idsOfDeliveries = (...indexes: number[]) => indexes.map((index) => deliveries[index]?.id);

describe('deliveries', () => {
  it('are listed newest first, page by page', async () => {
    expect(await idsOf('')).toEqual(idsOfDeliveries(2, 1, 0));
    const first = WebhookDeliveryPageDto.create((await world.ask(`${DELIVERIES}?limit=2`)).body);
    expect(first).toMatchObject({ has_more: true });
    const second = WebhookDeliveryPageDto.create(
      (await world.ask(`${DELIVERIES}?limit=2&cursor=${first.next_cursor ?? ''}`)).body,
    );
    expect([...first.data, ...second.data].map((delivery) => delivery.id)).toEqual(idsOfDeliveries(2, 1, 0));
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('are listed by endpoint, execution, status and event', async () => {
    expect(await idsOf(`?endpoint_id=${endpointIds[0] ?? 0}`)).toEqual(idsOfDeliveries(1, 0));
    expect(await idsOf(`?execution_id=${deliveries[2]?.execution_id ?? ''}`)).toEqual(idsOfDeliveries(2));
    expect(await idsOf('?status=delivered')).toEqual([]);
    expect(await idsOf('?type=execution.failed')).toEqual([]);
    expect(await idsOf('?type=execution.failed,execution.completed&status=pending')).toEqual(
      idsOfDeliveries(2, 1, 0),
    );
    expect(await idsOf('?status=delivered,pending&sort=created_at')).toEqual(idsOfDeliveries(0, 1, 2));
    expect(await idsOf(`?status=pending&endpoint_id=${endpointIds[1] ?? 0}`)).toEqual(idsOfDeliveries(2));
    expect(
      await idsOf(`?endpoint_id=${endpointIds[1] ?? 0}&execution_id=${deliveries[0]?.execution_id ?? ''}`),
    ).toEqual([]);
  });

  it('say which event goes to whom, and when', async () => {
    const answer = await world.ask(`${DELIVERIES}${deliveries[2]?.id ?? ''}/`);
    const delivery = WebhookDeliveryWithAttemptsDto.create(answer.body);
    expect(answer.body).toEqual(delivery);
    expect(delivery).toMatchObject({
      endpoint_id: endpointIds[1],
      type: 'execution.completed',
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: delivery.created_at,
      delivered_at: null,
      attempts: [],
    });
    expect(JSON.parse(delivery.body)).toMatchObject({
      type: 'execution.completed',
      data: { id: delivery.execution_id, status: 'completed' },
    });
  });
});

describe('a delivery of another tenant', () => {
  it('is not found by its id, is in no list, cannot be sent again, and its id is no cursor to anything', async () => {
    const [foreign] = deliveries;
    const id = foreign?.id ?? '';
    await world.dataSource.query(`UPDATE webhook_delivery SET tenant_id = 'other' WHERE id = $1`, [id]);
    try {
      expectProblem(await world.ask(`${DELIVERIES}${id}/`), NOT_FOUND);
      expectProblem(await world.redeliver(id), NOT_FOUND);
      expect(await idsOf('')).toEqual(idsOfDeliveries(2, 1));
      expect(await idsOf(`?execution_id=${foreign?.execution_id ?? ''}`)).toEqual([]);
      expect(await idsOf(`?cursor=${Buffer.from(id).toString('base64url')}`)).toEqual([]);
      const [row] = await world.dataSource.query<
        [{ attempts_before_redelivery: number; dispatched_at: null }]
      >('SELECT tenant_id, attempts_before_redelivery, dispatched_at FROM webhook_delivery WHERE id = $1', [
        id,
      ]);
      expect(row).toEqual({ tenant_id: 'other', attempts_before_redelivery: 0, dispatched_at: null });
    } finally {
      await world.dataSource.query(`UPDATE webhook_delivery SET tenant_id = 'default' WHERE id = $1`, [id]);
    }
  });
});

describe('a wrong request', () => {
  it.each<[method: string, path: string, parameter: string, words: string]>([
    ['GET', `${DELIVERIES}x/`, 'id', ID_WORDS],
    ['GET', `${DELIVERIES}evt_..%2f/`, 'id', ID_WORDS],
    ['POST', `${DELIVERIES}7/redeliver/`, 'id', ID_WORDS],
    ['GET', `${DELIVERIES}?endpoint_id=x`, 'endpoint_id', NUMBER_WORDS],
    ['GET', `${DELIVERIES}?execution_id=x`, 'execution_id', 'must be a UUID'],
    [
      'GET',
      `${DELIVERIES}?status=failed`,
      'status',
      'must be one of pending, delivered, exhausted, or several with commas between',
    ],
    [
      'GET',
      `${DELIVERIES}?type=execution.ended`,
      'type',
      `must be one of ${WEBHOOK_DELIVERY_TYPES.join(', ')}, or several with commas between`,
    ],
    ['GET', `${DELIVERIES}?cursor=abc`, 'cursor', 'must be the next_cursor of an earlier answer'],
    ['GET', `${DELIVERIES}?limit=0`, 'limit', 'must be a whole number from 1 to 100'],
    ['GET', `${DELIVERIES}?endpoint=1`, 'endpoint', 'is not a known parameter'],
  ])('%s %s names the parameter', async (method, path, parameter, words) => {
    expectProblem(await world.ask(path, { method }), {
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: `${parameter}: ${words}`,
      places: [`parameter ${parameter}`],
    });
  });

  it.each([
    ['GET', `${DELIVERIES}evt_0/`],
    ['POST', `${DELIVERIES}evt_0/redeliver/`],
  ])('%s %s is not found', async (method, path) => {
    expectProblem(await world.ask(path, { method }), NOT_FOUND);
  });
});
