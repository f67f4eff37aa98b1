import type { WebhookDelivery, WebhookEndpoint } from '../api/types.js';
import { isDeliveryId, isUuid } from '../format/ids.js';

export const WEBHOOK_TABS = ['endpoints', 'deliveries'] as const;
export type WebhookTab = (typeof WEBHOOK_TABS)[number];

export const DELIVERY_STATUSES: readonly WebhookDelivery['status'][] = ['pending', 'delivered', 'exhausted'];

/** Events to which an endpoint can subscribe. */
export const EVENT_TYPES: readonly WebhookEndpoint['events'][number][] = [
  'execution.completed',
  'execution.incomplete',
  'execution.failed',
  'execution.cancelled',
  'execution.requires_action',
];
/** Events that deliveries report: a test is sent without a subscription. */
export const DELIVERY_TYPES: readonly WebhookDelivery['type'][] = [...EVENT_TYPES, 'webhook.test'];

/** How far back the list goes, by its name in the address, with the length in ms. */
const SINCE = { '1h': 3_600_000, '24h': 24 * 3_600_000, '7d': 7 * 24 * 3_600_000 } as const;
export type Since = keyof typeof SINCE;

/** Filter of the deliveries, as the address holds it. Only what is set is there. */
export interface DeliveryFilter {
  readonly status?: WebhookDelivery['status'];
  readonly event?: WebhookDelivery['type'];
  readonly endpoint?: number;
  /** Id of the run that the event is about. */
  readonly run?: string;
  readonly since?: Since;
}

/** Filter, and the delivery that is open. */
export interface DeliveryView extends DeliveryFilter {
  /** Id of the delivery that is open. */
  readonly open?: string;
}

export interface WebhooksView extends DeliveryView {
  readonly tab?: WebhookTab;
}

/** Takes the parts of an address that make sense. Pure. */
export function deliveryViewOf(search: Readonly<Record<string, unknown>>): DeliveryView {
  const status = DELIVERY_STATUSES.find((each) => each === search['status']);
  const event = DELIVERY_TYPES.find((each) => each === search['event']);
  const endpoint = Number(search['endpoint']);
  const { run, since, open } = search;
  return {
    ...(status === undefined ? {} : { status }),
    ...(event === undefined ? {} : { event }),
    ...(Number.isInteger(endpoint) && endpoint > 0 ? { endpoint } : {}),
    ...(typeof run === 'string' && isUuid(run) ? { run } : {}),
    ...(typeof since === 'string' && Object.hasOwn(SINCE, since) ? { since: since as Since } : {}),
    ...(typeof open === 'string' && isDeliveryId(open) ? { open } : {}),
  };
}

/** Takes the parts of the address of all webhooks that make sense. Pure. */
export function webhooksViewOf(search: Readonly<Record<string, unknown>>): WebhooksView {
  const tab = WEBHOOK_TABS.find((each) => each === search['tab']);
  return { ...deliveryViewOf(search), ...(tab === undefined ? {} : { tab }) };
}

/** The filter without what is open. Pure. */
export function filterOf({ status, event, endpoint, run, since }: DeliveryView): DeliveryFilter {
  return {
    ...(status === undefined ? {} : { status }),
    ...(event === undefined ? {} : { event }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(run === undefined ? {} : { run }),
    ...(since === undefined ? {} : { since }),
  };
}

/**
 * Query parameters of the API for a filter. The start of a period is cut to the minute, so that pages and refreshes ask
 * the same. Pure.
 * @param now Unix time in ms
 */
export function deliveryQueryOf({ status, event, endpoint, run, since }: DeliveryFilter, now: number) {
  const minute = Math.floor(now / 60_000) * 60_000;
  return {
    ...(status === undefined ? {} : { status }),
    ...(event === undefined ? {} : { type: event }),
    ...(endpoint === undefined ? {} : { endpoint_id: endpoint }),
    ...(run === undefined ? {} : { execution_id: run }),
    ...(since === undefined ? {} : { from: new Date(minute - SINCE[since]).toISOString() }),
  };
}

/** Name of an event without what all have in common. Pure. */
export const eventWord = (type: string): string =>
  type.replace(/^(execution|webhook)\./, '').replaceAll('_', ' ');
