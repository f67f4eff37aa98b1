import { isDeliveryId } from '../format/ids.js';

export const TABS = ['timeline', 'conversation', 'steps', 'events', 'webhooks', 'raw'] as const;
export type Tab = (typeof TABS)[number];

/** Tab and selection of the run page, as its address holds them. */
export interface RunSearch {
  readonly tab?: Tab;
  /** Key of the step that is open. */
  readonly step?: string;
  /** Id of the webhook delivery that is open. */
  readonly delivery?: string;
}

/** Takes the parts of an address that make sense. Pure. */
export function runSearchOf(search: Readonly<Record<string, unknown>>): RunSearch {
  const tab = TABS.find((each) => each === search['tab']);
  const { step, delivery } = search;
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(typeof step === 'string' && step.length <= 200 ? { step } : {}),
    ...(typeof delivery === 'string' && isDeliveryId(delivery) ? { delivery } : {}),
  };
}
