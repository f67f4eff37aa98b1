import type { PreparedLine } from './prepare-text.js';

const LABELLED =
  /^(?:from|customer|account name|company|restaurant|client|bill to|ordered by|order from|店名|得意先名?|お客様名?|発注元|会社名|注文者|送信元)\s*[:：]\s*(?<name>.+)$/iu;
const INTRODUCED = /\b(?:this is|it's|it is|here is)\s+[A-Z][\p{L}'-]*(?:\s+[A-Z][\p{L}'-]*)?\s+(?:from|at|of|with)\s+(?:the\s+)?(?<name>[A-Z][^\d,.;:!?(]{2,40})/u;
const INTRODUCED_JA = /(?:^|[\s、。])(?<name>[^\s、。,]{2,25})の[^\s、。の]{1,10}(?:です|と申します|でございます)/u;
const BUSINESS =
  /\b(?:caf[eé]|coffee|bistro|restaurant|kitchen|grill|hotel|inn|bar|deli|bakery|market|catering|diner|pizzeria|house|tavern|school|foods?|eatery|trattoria|pub|co|inc|ltd|llc|gmbh)\b|レストラン|ホテル|食堂|ビストロ|カフェ|商店|株式会社/iu;
const CONTACT = /[\d@]|\b(?:tel|phone|fax|street|st|ave|road|www)\b/iu;

/** Who orders, as far as the text says so: a label, an introduction, or a business below the closing. */
export function findCustomerName(lines: readonly PreparedLine[]): string | null {
  for (const { text } of lines) {
    const match = LABELLED.exec(text) ?? INTRODUCED.exec(text) ?? INTRODUCED_JA.exec(text);
    const name = tidy(match?.groups?.['name']);
    if (name !== null) return name;
  }
  return findInSignature(lines.filter((line) => line.isBelowClosing).slice(1).map((line) => line.text));
}

function findInSignature(lines: readonly string[]): string | null {
  const names = lines.flatMap((line) => line.split(/[,|/]/u)).map((part) => part.trim());
  const candidates = names.filter((name) => name !== '' && !CONTACT.test(name) && name.split(/\s+/).length <= 6);
  return tidy(candidates.find((name) => BUSINESS.test(name)) ?? candidates[1]);
}

function tidy(name: string | undefined): string | null {
  const tidied = (name ?? '')
    .replace(/<[^>]*>|\S+@\S+/gu, ' ')
    .replace(/\s+(?:様|御中)\s*$/u, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s,;.。、-]+$/u, '')
    .trim();
  return tidied === '' ? null : tidied;
}
