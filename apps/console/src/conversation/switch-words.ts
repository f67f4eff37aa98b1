import type { RunEvent } from '../api/types.js';

type Reason = Extract<RunEvent, { event: 'model_switched' }>['data']['reason'];

/** Why another model is asked. */
export const SWITCH_WORDS: Readonly<Record<Reason, string>> = {
  unavailable: 'the model before it failed in all tries',
  breaker_open: 'the host of the model before it does not answer',
  rate_limited: 'the model before it is limited for too long',
};
