/** Begin of a text, without half of a character that takes two units at its end. Pure. */
export function firstPart(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? limit - 1 : limit);
}
