import type { TokenUsage } from '#libs/payloads';
import type { Pricing } from './model-description.js';

/** Decimal places of a price; `SCALE` adds 6 for "per million". Nothing is rounded. */
const PRICE_DIGITS = 12;
const SCALE = PRICE_DIGITS + 6;

/** Prices as integers in units of their last decimal place. */
type ScaledPricing = Readonly<
  Record<'input' | 'cached_input' | 'cache_write_5m' | 'cache_write_1h' | 'output', bigint>
>;

type Prices = Omit<Pricing, 'currency' | 'as_of' | 'note' | 'long_prompt'>;

/** Cached, because several costs per call use the same prices. */
const scaledPricings = new WeakMap<Prices, ScaledPricing>();

/** Exact cost of one call as decimal text without trailing zeros; `null` if the usage is unknown (S1-36). */
export function costOf(usage: TokenUsage | null, pricing: Pricing): string | null {
  if (usage === null) return null;
  const { cache_creation_5m_tokens: short = 0, cache_creation_1h_tokens: long = 0 } = usage;
  const freshInput = usage.input_tokens - usage.cached_input_tokens - short - long;
  const { long_prompt: ofLong } = pricing;
  const isLong = ofLong !== undefined && usage.input_tokens > ofLong.above_tokens;
  const prices = scaledPricingOf(isLong ? ofLong : pricing);
  return toDecimal(
    BigInt(freshInput) * prices.input +
      BigInt(short) * prices.cache_write_5m +
      BigInt(long) * prices.cache_write_1h +
      BigInt(usage.cached_input_tokens) * prices.cached_input +
      BigInt(usage.output_tokens) * prices.output,
  );
}

function scaledPricingOf(pricing: Prices): ScaledPricing {
  const known = scaledPricings.get(pricing);
  if (known !== undefined) return known;
  const scaled = {
    input: toScaled(pricing.input),
    cached_input: toScaled(pricing.cached_input),
    cache_write_5m: toScaled(pricing.cache_write_5m ?? pricing.input),
    cache_write_1h: toScaled(pricing.cache_write_1h ?? pricing.input),
    output: toScaled(pricing.output),
  };
  scaledPricings.set(pricing, scaled);
  return scaled;
}

function toScaled(price: string): bigint {
  const [whole = '0', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(PRICE_DIGITS, '0'));
}

function toDecimal(scaled: bigint): string {
  const digits = scaled.toString().padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0+$/, '');
  const whole = digits.slice(0, -SCALE);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
