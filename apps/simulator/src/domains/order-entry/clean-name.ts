const LEAD_INS =
  /^(?:(?:hi|hello|hey|dear|please|pls|plz|kindly|could|can|would|may|we|i|you|us|me|i'd|we'd|i'll|we'll|you'd|let's|'d|'ll|send|get|have|add|adding|need|needs|want|like|love|order|ordering|orders?:|take|make|give|bring|deliver|supply|put|in|down|just|also|and|plus|another|more|then|next|of|the|some|our|my|usual|to|for|today|tomorrow|it|that|will|with|still|again|p\.?s\.?|ea|qty|item|x)(?![\p{L}'])[\s,:.]*|[\s,;:.&+|=*~_-]+)+/iu;
const LEAD_INS_JA =
  /^(?:あとは?|それと|それから|また(?=[、,\s])|追加で|さらに|加えて|以下|下記|本日|明日(?!葉)|今回|[\s、。,:：・+-]+)+/u;
const TRAILERS =
  /(?:[\s,;:.!?|=*~_/+&@-]|(?<![\p{L}'-])(?:please|pls|plz|thanks|thank you|instead|and|plus|qty|of|x|for|by|on|at|to)|(?:を|は|が|も|と|の)?(?:各)?(?:で)?(?:お願い(?:いた|致)?(?:します|しました|できますか)?|ください|下さい|お願い|欲しいです|です|ます)|を(?!各?で?(?:お願|くだ|下さ|欲し|です|ます))|(?<=[^\p{Script=Hiragana}\s])(?:は|が|も|と|各))+$/iu;
/** End of a sentence that asks for the goods after it. */
const ASKING_END =
  /(?:\b(?:need|needs|send|get|want|wants|order|ordering|like|have|add|please|take|deliver|bring|us|me|with|for|of|is|are|be)|[:：])\s*$/iu;
const REMARK =
  /\b(?:please|pls|ripe|firm|only|no|not|don'?t|without|if|must|needs?|needed|subs?|substitut\w*|urgent|asap|early|same|cheapest|brand|for|or|as|ok|okay|instead|possible|prefer\w*|best)\b/iu;
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/**
 * A name without phrases like "could we get", "please" or を, and with single spaces. Particles are removed only after kanji
 * and katakana, since しょうが and もも end in the same letters.
 */
export function cleanName(text: string): string {
  const single = text
    .replace(/[()[\]{}"「」『』（）]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return single.replace(LEAD_INS, '').replace(LEAD_INS_JA, '').replace(TRAILERS, '').trim();
}

/** Whether the text, apart from phrases, could be a name. */
export function isWordy(text: string): boolean {
  return /\p{L}{2,}|[\p{Script=Han}\p{Script=Katakana}]/u.test(cleanName(text));
}

/** Whether goods follow the text, as in "For the brunch we will need". */
export function asksForWhatFollows(text: string): boolean {
  return ASKING_END.test(text);
}

/** Whether the text describes a wish for an item rather than the item; Japanese tails always do. */
export function isRemark(text: string): boolean {
  return REMARK.test(text) || JAPANESE.test(text) || text.split(/\s+/).length > 3;
}

/** A remark without polite phrases, or null if nothing is left. */
export function cleanRemark(text: string): string | null {
  const cleaned = text
    .replace(/^[\s,;:.、。()（）※*→-]+/u, '')
    .replace(/[\s,;:.、。()（）-]+$/u, '')
    .replace(/(?:で|を|に)?(?:お願い(?:いた|致)?します|ください|下さい)$/u, '')
    .trim();
  return cleaned === '' ? null : cleaned;
}
