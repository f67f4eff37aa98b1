/** Adds two non-negative decimal numbers given as text, exactly; the sum has no trailing zeros. Money is never a float. */
export function addDecimals(a: string, b: string): string {
  const digits = Math.max(fractionDigits(a), fractionDigits(b));
  const sum = (toScaled(a, digits) + toScaled(b, digits)).toString().padStart(digits + 1, '0');
  if (digits === 0) return sum;
  const fraction = sum.slice(-digits).replace(/0+$/, '');
  const whole = sum.slice(0, -digits);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function fractionDigits(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

function toScaled(text: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}
