import { AppError } from './app-error.js';

const DECIMAL = /^(\d{1,100})(?:\.(\d{1,100}))?$/;

/**
 * Adds two non-negative decimal numbers given as text, exactly; the sum has no trailing zeros. Money is never a float.
 * Throws an `AppError` for a text that is not such a number.
 */
export function addDecimals(a: string, b: string): string {
  const [x, y, digits] = align(a, b);
  return toText(x + y, digits);
}

function toText(scaled: bigint, digits: number): string {
  const text = scaled.toString().padStart(digits + 1, '0');
  if (digits === 0) return text;
  const fraction = text.slice(-digits).replace(/0+$/, '');
  const whole = text.slice(0, -digits);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Subtracts `b` from `a`, which must not be smaller, exactly; as `addDecimals`. Throws an `AppError` for other texts. */
export function subtractDecimals(a: string, b: string): string {
  const [x, y, digits] = align(a, b);
  if (x < y) throw notDecimal();
  return toText(x - y, digits);
}

/**
 * Compares two non-negative decimal numbers given as text, exactly: below zero when `a < b`, zero when they are the same
 * number, above zero when `a > b`. Throws an `AppError` for a text that is not such a number.
 */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  const [x, y] = align(a, b);
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

/** Scales both numbers to integers with the same number of decimal places, which is returned too. */
function align(a: string, b: string): readonly [bigint, bigint, number] {
  const [left, right] = [parse(a), parse(b)];
  const digits = Math.max(left.fraction.length, right.fraction.length);
  return [scale(left, digits), scale(right, digits), digits];
}

interface Decimal {
  readonly whole: string;
  readonly fraction: string;
}

function parse(text: string): Decimal {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole !== undefined) return { whole, fraction };
  throw notDecimal();
}

function notDecimal(): AppError {
  return new AppError({ code: 'DECIMAL_INVALID', kind: 'internal', message: 'not a decimal number' });
}

function scale({ whole, fraction }: Decimal, digits: number): bigint {
  return BigInt(whole + fraction.padEnd(digits, '0'));
}
