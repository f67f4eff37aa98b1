const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*';
const WEEKDAY = '(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?';

/** Patterns of text that is neither goods nor a quantity: addresses, phones, dates, times, prices, references, durations. */
const NOISE: readonly RegExp[] = [
  /[\w.+-]+@[\w-]+\.[\w.]+/giu,
  /https?:\/\/\S+|www\.\S+/giu,
  /\b(?:tel|phone|ph|fax|mobile|mob|cell|call|text)\b[.:]?\s*(?:me\s+)?(?:on|at)?\s*[+(]?\d[\d\s().-]{5,}/giu,
  /(?:電話|TEL|FAX|携帯)\s*[:：]?\s*[\d()-]{8,}/giu,
  /(?<!\d)\+?\(?\d{2,4}\)?[\s.-]\d{2,4}[\s.-]\d{3,4}(?!\d)/gu,
  /(?<![\d-])\d{3}-\d{4}(?![\d-])/gu,
  /〒\s*\d{3}-?\d{4}/gu,
  /(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)/gu,
  /(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}(?!\d)/gu,
  new RegExp(String.raw`\b${MONTH}\.?\s+\d{1,2}(?:st|nd|rd|th)?\b(?:,?\s+\d{4})?`, 'giu'),
  new RegExp(String.raw`\b\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?${MONTH}\b\.?(?:,?\s+\d{4})?`, 'giu'),
  /\b\d{1,2}(?:st|nd|rd|th)\b/giu,
  new RegExp(String.raw`\b${WEEKDAY}\.?,?\s+\d{1,2}(?:/\d{1,2})?\b`, 'giu'),
  /\b(?:(?:for|by|on|before|this|next|delivery)\s+)*(?:today|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?:\s+(?:morning|afternoon|evening|night))?\b/giu,
  /\b(?:on|by|for|before|until)\s+\d{1,2}\/\d{1,2}\b(?!\s*(?:lb|oz|gal|kg|ct))/giu,
  /(?:令和|平成)?\d{1,4}年(?:\d{1,2}月)?(?:\d{1,2}日)?/gu,
  /\d{1,2}月\d{1,2}日|\d{1,2}月|\d{1,2}日/gu,
  /(?<!\d)\d{1,2}\/\d{1,2}\s*\([月火水木金土日]\)/gu,
  /\b\d{1,2}(?::\d{2})?\s*(?:am|pm|a\.m\.|p\.m\.|o'clock)(?![a-z])/giu,
  /(?<!\d)\d{1,2}:\d{2}(?!\d)/gu,
  /\d{1,2}時(?:\d{1,2}分|半)?/gu,
  /@\s*[$€£¥]?\s*\d[\d.,]*/gu,
  /[$€£¥]\s*\d[\d,.]*/gu,
  /\d[\d,.]*\s*(?:円|usd|dollars?)/giu,
  /\b(?:p\.?o\.?|order|invoice|inv|acct|account|customer|cust|ref|store|route|page|client)\s*(?:no\.?|number|num|id|#|:)+\s*[#:]*\s*[\w-]*\d[\w-]*/giu,
  /\bp\.?o\.?\s*(?:box\s*)?#?\s*\d+/giu,
  /(?:発注|注文|伝票|得意先|お客様)(?:番号|コード|No\.?)\s*[:：]?\s*[\w-]*\d[\w-]*/giu,
  /\b\d+\s+(?:[\p{L}.'-]+\s+){1,3}(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|way|highway|hwy)\b\.?/giu,
  /\b(?:suite|ste|unit|apt|floor|dock|bay|door|gate)\s+#?\d+\b/giu,
  /\d+(?:丁目|番地?|号室?|階|番線)/gu,
  /\b\d+\s*(?:-\s*\d+\s*)?(?:days?|weeks?|months?|years?|hours?|hrs?|minutes?|mins?|people|guests|covers|locations?)\b/giu,
  /\d+(?:日間|週間|[ヶかカ]月|名様?|人|分(?!の)|時間)/gu,
];

/** Replaces noise by spaces, so that positions are kept. */
export function maskNoise(line: string): string {
  return NOISE.reduce((masked, pattern) => masked.replace(pattern, blank), line);
}

/** Spaces of the same length as the text. */
export function blank(text: string): string {
  return ' '.repeat(text.length);
}
