import { AppError } from '#libs/kernel';

const DECIMAL = /^(\d{1,100})(?:\.(\d{1,100}))?$/;

/**
 * Compares two non-negative decimal numbers given as text, exactly: below zero when `a < b`, zero when they are the same
 * number, above zero when `a > b`. Throws an `AppError` for a text that is not such a number.
 */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  const [left, right] = [parse(a), parse(b)];
  const digits = Math.max(left.fraction.length, right.fraction.length);
  const [x, y] = [scale(left, digits), scale(right, digits)];
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

interface Decimal {
  readonly whole: string;
  readonly fraction: string;
}

function parse(text: string): Decimal {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole !== undefined) return { whole, fraction };
  throw new AppError({ code: 'DECIMAL_INVALID', kind: 'internal', message: 'not a decimal number' });
}

function scale({ whole, fraction }: Decimal, digits: number): bigint {
  return BigInt(whole + fraction.padEnd(digits, '0'));
}
