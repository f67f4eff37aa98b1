/** Role of a line, classified by its wording. */
export type LineRole =
  /** A line that may name goods. */
  | 'content'
  /** A greeting, header, closing or question, which needs no action. */
  | 'ignored'
  /** A note about the whole order for a person. */
  | 'note'
  /** A remark about the line above. */
  | 'remark';

const HEADER =
  /^(?:to|from|fax|tel|phone|mobile|date|attn|attention|subject|re|pages?|cc|bcc|sent|ship to|bill to|terms|account|acct|customer|client|restaurant|company|address|e-?mail|item ?(?:#|no\.?|number)?\s+(?:qty|description)|po|p\.o\.)\b(?:\s*(?:[:#.]|no\b|number\b)|\s+qty|$)/iu;
const HEADER_JA =
  /^(?:日付|日時|発注日|注文日|電話|TEL|FAX|住所|件名|宛先|宛名|担当者?|送信元|得意先|お客様名?|発注元|店名|会社名|注文者|品名\s|商品名\s|品番\s)/u;
const QUESTION = /^(?:do|does|did|is|are|what|when|how|where|which|any|has|have you)\b.*\?\s*$/iu;
const QUESTION_JA = /(?:ありますか|でしょうか|いくら|教えて|いつ(?:頃|ごろ|です|届|に))/u;
const COMPLAINT =
  /\b(?:cancel(?:led|ed)?|shorted|short on|came short|missing|damaged|credit|refund|returned?|last (?:week|order|delivery|time|month)|received|invoice from|don'?t (?:send|need|want)|no longer)\b|キャンセル|不足|破損|返品|前回|先週|欠品|届いた|届きました/iu;
const DELIVERY =
  /\b(?:deliver(?:y|ed|ies)?|leave|drop|back door|dock|gate|before|after|between|driver|call|substitut\w*|invoice|pick ?up|closed|open|urgent|asap)\b|納品|配達|配送|届け|納期|置い|午前|午後|連絡|担当|希望/iu;
const REMARK_START = /^(?:[(（※→]|note:|\*+\s)/iu;

/** Classifies a line; `hasGoods` says whether goods with a unit were found in it. */
export function classifyLine(text: string, hasGoods: boolean): LineRole {
  if (COMPLAINT.test(text)) return 'note';
  if (QUESTION.test(text) || QUESTION_JA.test(text)) return 'ignored';
  if (hasGoods) return 'content';
  if (REMARK_START.test(text)) return 'remark';
  if (HEADER.test(text) || HEADER_JA.test(text)) return 'ignored';
  if (DELIVERY.test(text) && !/[:：]\s*$/u.test(text)) return 'note';
  return 'content';
}
