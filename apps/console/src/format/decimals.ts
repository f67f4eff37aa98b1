const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Exact sum of decimal texts; null where none is known, and unknown ones count for nothing. Pure. */
export function sumDecimals(texts: readonly (string | null)[]): string | null {
  const known = texts.filter((text) => text !== null).filter((text) => DECIMAL.test(text));
  if (known.length === 0) return null;
  const digits = Math.max(...known.map((text) => fractionOf(text).length));
  const sum = known.reduce((total, text) => total + scaled(text, digits), 0n);
  return written(sum, digits);
}

/** The negative of a decimal text. Pure. */
export function negated(text: string): string {
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}

const fractionOf = (text: string): string => text.split('.')[1] ?? '';

function scaled(text: string, digits: number): bigint {
  const [whole = '0'] = text.split('.');
  return BigInt(whole + fractionOf(text).padEnd(digits, '0'));
}

function written(value: bigint, digits: number): string {
  const sign = value < 0n ? '-' : '';
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits).replace(/0+$/, '');
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
