import type { ReadableMedia } from '#libs/payloads';
import type { Pricing } from './model-description.js';

/** A model that needs no configuration. */
export interface PredefinedModel {
  readonly id: string;
  readonly label: string;
  /** Tokens. */
  readonly contextSize: number;
  /** Media that the model reads natively, beside text. */
  readonly nativeMedia: readonly ReadableMedia[];
  readonly pricing: Pricing;
}
