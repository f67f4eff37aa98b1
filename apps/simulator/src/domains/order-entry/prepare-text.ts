import type { Language } from './order-line.js';

/** A line of the customer's text, cleaned for reading. */
export interface PreparedLine {
  /** NFKC-normalised, without bullet or number in front. */
  readonly text: string;
  readonly isBulleted: boolean;
  /** Below "Best regards" and the like: names, addresses, phones. */
  readonly isBelowClosing: boolean;
}

/** What the service adds below a user's text: "customerAccountName: …" after four line breaks. */
const CONTEXT = /\n\n\n\n(?=(?:[a-z][A-Za-z]*: .*(?:\n|$))+$)/;
const BULLET = /^\s*(?:(?:[-*•·・●○◦‣▪■□➤→+]|\(\d{1,2}\)|\d{1,2}[.)](?=\s)|[①-⑳])\s*)+/u;
const CLOSING =
  /^(?:many\s+)?(?:thanks|thank you|thx|ty|best|all the best|(?:best|kind|warm)\s+regards|regards|cheers|sincerely|yours|respectfully|have a (?:great|good|nice))\b[^\d]{0,40}$/iu;
const QUOTE = /^\s*>|^\s*-{2,}\s*(?:original|forwarded) message|^on .{5,80} wrote:\s*$|^-{5,}\s*$/iu;
const SIGNATURE = /^--\s*$|^sent from my /iu;
/** Nobody writes an order that is longer; a file pasted into it is cut. */
const MOST_LINES = 2000;
const LONGEST_LINE = 500;
const HALVES: Readonly<Record<string, string>> = { '½': '1/2', '¼': '1/4', '¾': '3/4', '⅓': '1/3' };

/** The customer's own text and, if the service said so, the customer's name. */
export function separateContext(text: string): {
  readonly text: string;
  readonly accountName: string | null;
} {
  const at = CONTEXT.exec(text);
  if (at === null) return { text, accountName: null };
  const name = /^customerAccountName: (.+)$/m.exec(text.slice(at.index))?.[1]?.trim() ?? null;
  return { text: text.slice(0, at.index), accountName: name };
}

/** The lines a person wrote just now: quoted mails and what follows them are left out. */
export function prepareLines(text: string): readonly PreparedLine[] {
  const lines: PreparedLine[] = [];
  let isBelowClosing = false;
  for (const whole of text.split(/\r?\n/).slice(0, MOST_LINES)) {
    const raw = whole.slice(0, LONGEST_LINE);
    if (SIGNATURE.test(raw)) isBelowClosing = true;
    if (QUOTE.test(raw) && lines.some((line) => line.text !== '')) break;
    const bullet = BULLET.exec(raw)?.[0] ?? '';
    const body = raw
      .slice(bullet.length)
      .replace(/(\d?)([½¼¾⅓])/gu, (_all, whole: string, half: string) => `${whole} ${HALVES[half] ?? ''} `);
    const normal = body.normalize('NFKC').replace(/[‐-―]/gu, '-').replace(/[|\t]/g, ' ').trimEnd();
    if (CLOSING.test(normal.trim())) isBelowClosing = true;
    for (const sentence of sentencesOf(normal.slice(0, LONGEST_LINE))) {
      lines.push({ text: sentence, isBulleted: bullet.trim() !== '', isBelowClosing });
    }
  }
  return lines;
}

function sentencesOf(line: string): readonly string[] {
  return line
    .split(/(?<=[a-z]{4}[.!?])\s+(?=[A-Z])|(?<=[。!?])(?=[^\s)])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

const CJK = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu;

/** Japanese from a tenth of the letters on. */
export function detectLanguage(text: string): Language {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(CJK)?.length ?? 0) > letters / 10 ? 'ja' : 'en';
}
