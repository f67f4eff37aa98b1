import type { DraftLine } from './draft-order.js';
import type { ReadOrder } from './order-line.js';

const MAX_NAMED = 8;

/** Final message to the customer: number of the order request, ready lines, and lines for a person. */
export function confirmOrder(
  order: ReadOrder,
  drafts: readonly DraftLine[],
  orderRequestId: number | null,
): string {
  const open = drafts.flatMap((draft, index) =>
    draft.status === 'todo'
      ? [{ number: index + 1, text: draft.original_text, why: draft.help_request_message ?? '' }]
      : [],
  );
  const facts = { ready: drafts.length - open.length, all: drafts.length, open, notes: order.notes };
  return order.language === 'ja' ? inJapanese(facts, orderRequestId) : inEnglish(facts, orderRequestId);
}

interface Facts {
  readonly ready: number;
  readonly all: number;
  readonly open: readonly { readonly number: number; readonly text: string; readonly why: string }[];
  readonly notes: readonly string[];
}

function inEnglish({ ready, all, open, notes }: Facts, id: number | null): string {
  const saved = id === null ? 'Your order is saved as a draft' : `Order request ${id} is saved as a draft`;
  const lines = all === 1 ? '1 line' : `${all} lines`;
  return [
    `Thank you. ${saved}: ${lines}, ${ready === all ? 'all ready' : `${ready} ready`}.`,
    ...(open.length > 0 ? ['A colleague will look at:'] : []),
    ...open.slice(0, MAX_NAMED).map(({ number, text, why }) => `- line ${number} "${text}": ${why}`),
    ...(open.length > MAX_NAMED ? [`- and ${open.length - MAX_NAMED} more`] : []),
    ...(notes.length > 0
      ? [`Not part of the draft, for the colleague: ${notes.map((note) => `"${note}"`).join(' ')}`]
      : []),
  ].join('\n');
}

function inJapanese({ ready, all, open, notes }: Facts, id: number | null): string {
  const saved = id === null ? 'ご注文を下書きとして保存しました' : `注文番号${id}の下書きを保存しました`;
  return [
    `ありがとうございます。${saved}（全${all}件、うち${ready}件は確認済み）。`,
    ...(open.length > 0 ? ['担当者が次の行を確認いたします。'] : []),
    ...open.slice(0, MAX_NAMED).map(({ number, text, why }) => `・${number}行目「${text}」：${why}`),
    ...(open.length > MAX_NAMED ? [`・ほか${open.length - MAX_NAMED}件`] : []),
    ...(notes.length > 0 ? [`下書きに含まれないご要望：${notes.map((note) => `「${note}」`).join('')}`] : []),
  ].join('\n');
}
