import type { PreparedLine } from './prepare-text.js';

const LABELLED =
  /^(?:from|customer|account name|company|restaurant|client|bill to|ordered by|order from|店名|得意先名?|お客様名?|発注元|会社名|注文者|送信元)\s*[:：]\s*(?<name>.+)$/iu;
const SUBJECT = /^(?:subject|re|件名)\s*[:：].*?\s-\s(?<name>[^-]+)$/iu;
const INTRODUCED =
  /\b(?:this is|it's|it is|here is)\s+[A-Z][\p{L}'-]*(?:\s+[A-Z][\p{L}'-]*)?\s+(?:from|at|of|with)\s+(?:the\s+)?(?<name>[A-Z][^\d,.;:!?(]{2,40})/u;
const INTRODUCED_JA =
  /(?:^|[\s、。])(?<name>[^\s、。,]{2,25})(?:の|[、,]\s*)[^\s、。のはを]{1,10}(?:です|と申します|でございます)(?:[。\s]|$)/u;
/** Polite phrases with the same ending as an introduction, which are no names. */
const NO_NAME = /世話|いつも|こんにち|おはよう|こんばん|お疲れ|以上|本日|明日/u;
const ON_CLOSING =
  /^(?:many\s+)?(?:thanks|thank you|thx|ty|(?:best|kind|warm)?\s*regards|best|cheers|sincerely)[\s,!.-]+(?<name>[A-Z][^\d@]{2,40})$/iu;
const BUSINESS =
  /\b(?:caf[eé]|coffee|bistro|restaurant|kitchen|grill|hotel|inn|bar|deli|bakery|market|catering|diner|pizzeria|house|tavern|school|foods?|eatery|trattoria|pub|steak\w*|co|inc|ltd|llc|gmbh)\b|レストラン|ホテル|食堂|ビストロ|カフェ|商店|居酒屋|株式会社/iu;
const CONTACT = /[\d@]|\b(?:tel|phone|fax|street|st|ave|road|www)\b/iu;
const LETTERHEAD_LINES = 4;
const ACCOUNT =
  /\b(?:acct|account|customer|cust)\.?\s*(?:no\.?|number|num|id|code|#|:)*\s*[#:]*\s*(?<account>\d{3,10})\b|(?:得意先|お客様)(?:番号|コード|No\.?)\s*[:：]?\s*(?<accountJa>\d{3,10})/iu;

/**
 * The customer's name, if the text has one: from a label, introduction, subject, closing or letterhead. A name that sounds
 * like a business wins over one that may be a person's.
 */
export function findCustomerName(lines: readonly PreparedLine[]): string | null {
  const texts = lines.map((line) => line.text);
  const named = texts.flatMap((text) =>
    [LABELLED, INTRODUCED, SUBJECT, INTRODUCED_JA, ON_CLOSING].flatMap((pattern) => capture(pattern, text)),
  );
  const below = lines
    .filter((line) => line.isBelowClosing)
    .slice(1)
    .map((line) => line.text);
  const head = texts
    .slice(0, LETTERHEAD_LINES)
    .filter((text) => BUSINESS.test(text) && !/^(?:to|attn)\b|御中|様\s*$/iu.test(text));
  const signed = below.flatMap((text) => text.split(/[,|/]/u)).filter((part) => isShortName(part));
  const candidates = [...named, ...signed, ...head.filter(isShortName)]
    .map(tidy)
    .filter((name) => name !== null);
  const business = candidates.find((name) => BUSINESS.test(name));
  return business ?? named.map(tidy).find((name) => name !== null) ?? tidy(signed[1]);
}

/** The customer's account number, digits only. */
export function findAccount(lines: readonly PreparedLine[]): string | null {
  const found = lines.map(({ text }) => ACCOUNT.exec(text)?.groups).find((groups) => groups !== undefined);
  return found?.['account'] ?? found?.['accountJa'] ?? null;
}

function capture(pattern: RegExp, text: string): readonly string[] {
  const name = pattern.exec(text)?.groups?.['name'];
  return name === undefined || NO_NAME.test(name) ? [] : [name];
}

function isShortName(text: string): boolean {
  const name = text.trim();
  return name !== '' && !CONTACT.test(name) && name.split(/\s+/).length <= 6;
}

function tidy(name: string | undefined): string | null {
  const tidied = (name ?? '')
    .replace(/<[^>]*>|\S+@\S+/gu, ' ')
    .replace(/\s*(?:様|御中)\s*$/u, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s,;.。、!-]+$/u, '')
    .trim();
  return tidied === '' ? null : tidied;
}
