import { assertNever } from '#libs/kernel';
import type { Language } from './order-line.js';
import type { FoundItem } from './tool-results.js';

/** Reason for which a person must check a draft line. */
export type DraftDoubt =
  | { readonly kind: 'no_item'; readonly nearest: FoundItem | null }
  | { readonly kind: 'search_failed' }
  | { readonly kind: 'ambiguous_item'; readonly candidates: readonly FoundItem[] }
  | { readonly kind: 'other_unit'; readonly asked: string; readonly sold: string }
  | { readonly kind: 'no_quantity' }
  | { readonly kind: 'unclear_quantity'; readonly written: string }
  | { readonly kind: 'unknown_unit'; readonly written: string }
  | { readonly kind: 'large_quantity' };

/** States in one sentence the doubt that a person must resolve. */
export function describeDoubt(doubt: DraftDoubt, language: Language): string {
  return language === 'ja' ? inJapanese(doubt) : inEnglish(doubt);
}

function inEnglish(doubt: DraftDoubt): string {
  switch (doubt.kind) {
    case 'no_item':
      return doubt.nearest === null
        ? 'No item of the catalogue fits.'
        : `No item of the catalogue fits; the nearest is ${name(doubt.nearest)}.`;
    case 'search_failed':
      return 'The catalogue could not be searched.';
    case 'ambiguous_item':
      return `Several items fit: ${doubt.candidates.map(name).join(', ')}.`;
    case 'other_unit':
      return `Asked for in ${doubt.asked}, but sold by ${doubt.sold}.`;
    case 'no_quantity':
      return 'No quantity is given.';
    case 'unclear_quantity':
      return `The quantity is not clear: "${doubt.written}".`;
    case 'unknown_unit':
      return `"${doubt.written}" is not in cases, pieces or pounds.`;
    case 'large_quantity':
      return 'The quantity is unusually large.';
    default:
      return assertNever(doubt);
  }
}

function inJapanese(doubt: DraftDoubt): string {
  switch (doubt.kind) {
    case 'no_item':
      return doubt.nearest === null
        ? '該当する商品が見つかりません。'
        : `該当する商品が見つかりません（近い商品：${name(doubt.nearest)}）。`;
    case 'search_failed':
      return '商品を検索できませんでした。';
    case 'ambiguous_item':
      return `候補が複数あります：${doubt.candidates.map(name).join('、')}。`;
    case 'other_unit':
      return `ご注文の単位は${doubt.asked}ですが、販売単位は${doubt.sold}です。`;
    case 'no_quantity':
      return '数量の記載がありません。';
    case 'unclear_quantity':
      return `数量がはっきりしません：「${doubt.written}」。`;
    case 'unknown_unit':
      return `「${doubt.written}」はケース・個・ポンドの単位ではありません。`;
    case 'large_quantity':
      return '数量が通常より多くなっています。';
    default:
      return assertNever(doubt);
  }
}

function name(item: FoundItem): string {
  return `${item.item_num} ${item.name}`.trim();
}

/** Fixed replies of the clerk when it does not describe an order. */
export const CLERK_SAYS = {
  noOrder: {
    en:
      'I take orders: send me a list of items with quantities (in cases, pieces or pounds) and I will draft the order. ' +
      'I found no order in this message. Please note that I follow fixed rules and am not a language model.',
    ja:
      'ご注文を承ります。商品名（または品番）と数量（ケース・個・ポンド）をお送りいただければ、注文の下書きを作成します。' +
      'このメッセージには注文が見つかりませんでした。なお、私は決められた規則で動いており、言語モデルではありません。',
  },
  missingTool: {
    en: (tool: string, lines: number) =>
      `I read ${lines} order line(s), but I cannot go on: the tool "${tool}" is not available to me. Nothing was saved.`,
    ja: (tool: string, lines: number) =>
      `ご注文を${lines}件読み取りましたが、ツール「${tool}」が利用できないため処理を進められません。何も保存されていません。`,
  },
  notSaved: {
    en: 'I am sorry, the order could not be saved. Nothing was ordered; a person has to look at it.',
    ja: '申し訳ございません。ご注文を保存できませんでした。担当者の確認が必要です。',
  },
} as const;
