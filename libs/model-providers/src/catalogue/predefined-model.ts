import type { ReadableMedia } from '#libs/payloads';
import type { Pricing } from './model-description.js';

/** A model that needs no set-up. */
export interface PredefinedModel {
  readonly id: string;
  readonly label: string;
  /** Tokens. */
  readonly contextSize: number;
  /** What it reads as it is, beside texts. */
  readonly nativeMedia: readonly ReadableMedia[];
  readonly pricing: Pricing;
}
