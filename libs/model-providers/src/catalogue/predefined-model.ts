import type { Pricing } from './model-description.js';

/** A model that needs no set-up. */
export interface PredefinedModel {
  readonly id: string;
  readonly label: string;
  /** Tokens. */
  readonly contextSize: number;
  readonly pricing: Pricing;
}
