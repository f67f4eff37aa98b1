import type { Language } from './order-line.js';

/** A normalised line of the customer's text. */
export interface PreparedLine {
  /** NFKC-normalised text, without its bullet or number. */
  readonly text: string;
  readonly isBulleted: boolean;
  /** True below a closing like "Best regards", where names, addresses and phones follow. */
  readonly isBelowClosing: boolean;
}

/** Context that the service appends to a user's text: "customerAccountName: …" after four line breaks. */
const CONTEXT = /\n\n\n\n(?=(?:[a-z][A-Za-z]*: .*(?:\n|$))+$)/;
const BULLET = /^\s*(?:(?:[-*•·・●○◦‣▪■□➤→+]|\(\d{1,2}\)|\d{1,2}[.)](?=\s)|[①-⑳])\s*)+/u;
const CLOSING =
  /^(?:many\s+)?(?:thanks|thank you|thx|ty|best|all the best|(?:best|kind|warm)\s+regards|regards|cheers|sincerely|yours|respectfully|have a (?:great|good|nice))\b[^\d]{0,40}$/iu;
const QUOTE = /^\s*>|^\s*-{2,}\s*(?:original|forwarded) message|^on .{5,80} wrote:\s*$|^-{5,}\s*$/iu;
const SIGNATURE = /^--\s*$|^sent from my /iu;
/** Maximum lines read, and below it the maximum length of a line in characters; a pasted file is cut. */
const MAX_LINES = 2000;
const MAX_LINE = 500;
const HALVES: Readonly<Record<string, string>> = { '½': '1/2', '¼': '1/4', '¾': '3/4', '⅓': '1/3' };

/** Splits the customer's own text from the customer name that the service appended, if any. */
export function separateContext(text: string): {
  readonly text: string;
  readonly accountName: string | null;
} {
  const at = CONTEXT.exec(text);
  if (at === null) return { text, accountName: null };
  const name = /^customerAccountName: (.+)$/m.exec(text.slice(at.index))?.[1]?.trim() ?? null;
  return { text: text.slice(0, at.index), accountName: name };
}

/** Lines of the current message, without quoted mails and the text below them. */
export function prepareLines(text: string): readonly PreparedLine[] {
  const lines: PreparedLine[] = [];
  let isBelowClosing = false;
  for (const whole of text.split(/\r?\n/).slice(0, MAX_LINES)) {
    const raw = whole.slice(0, MAX_LINE);
    if (SIGNATURE.test(raw)) isBelowClosing = true;
    if (QUOTE.test(raw) && lines.some((line) => line.text !== '')) break;
    const bullet = BULLET.exec(raw)?.[0] ?? '';
    const body = raw
      .slice(bullet.length)
      .replace(/(\d?)([½¼¾⅓])/gu, (_all, whole: string, half: string) => `${whole} ${HALVES[half] ?? ''} `);
    const normal = body.normalize('NFKC').replace(/[‐-―]/gu, '-').replace(/[|\t]/g, ' ').trimEnd();
    if (CLOSING.test(normal.trim())) isBelowClosing = true;
    for (const sentence of sentencesOf(normal.slice(0, MAX_LINE))) {
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

/** Japanese if more than a tenth of the letters are CJK. */
export function detectLanguage(text: string): Language {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(CJK)?.length ?? 0) > letters / 10 ? 'ja' : 'en';
}
