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

/** Tabs beside which a step can be open. */
const STEP_TABS: readonly Tab[] = ['timeline', 'steps'];

/** Takes the parts of an address that make sense; what its tab does not show is not open. Pure. */
export function runSearchOf(search: Readonly<Record<string, unknown>>): RunSearch {
  const tab = TABS.find((each) => each === search['tab']);
  const { step, delivery } = search;
  const hasStep = STEP_TABS.includes(tab ?? 'timeline') && typeof step === 'string' && step.length <= 200;
  const hasDelivery = tab === 'webhooks' && typeof delivery === 'string' && isDeliveryId(delivery);
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(hasStep ? { step } : {}),
    ...(hasDelivery ? { delivery } : {}),
  };
}
