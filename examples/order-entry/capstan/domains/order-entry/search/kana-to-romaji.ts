const SYLLABLES =
  'あa いi うu えe おo かka きki くku けke こko さsa しshi すsu せse そso たta ちchi つtsu てte とto ' +
  'なna にni ぬnu ねne のno はha ひhi ふfu へhe ほho まma みmi むmu めme もmo やya ゆyu よyo ' +
  'らra りri るru れre ろro わwa ゐi ゑe をo んn がga ぎgi ぐgu げge ごgo ざza じji ずzu ぜze ぞzo ' +
  'だda ぢji づzu でde どdo ばba びbi ぶbu べbe ぼbo ぱpa ぴpi ぷpu ぺpe ぽpo ゔbu ' +
  'ぁa ぃi ぅu ぇe ぉo ゃya ゅyu ょyo ゎwa ゕka ゖke ' +
  'きゃkya きゅkyu きょkyo しゃsha しゅshu しょsho ちゃcha ちゅchu ちょcho にゃnya にゅnyu にょnyo ' +
  'ひゃhya ひゅhyu ひょhyo みゃmya みゅmyu みょmyo りゃrya りゅryu りょryo ぎゃgya ぎゅgyu ぎょgyo ' +
  'じゃja じゅju じょjo びゃbya びゅbyu びょbyo ぴゃpya ぴゅpyu ぴょpyo ' +
  'ふぁfa ふぃfi ふぇfe ふぉfo てぃti でぃdi とぅtu どぅdu うぃwi うぇwe うぉwo しぇshe じぇje ちぇche ' +
  'つぁtsa ゔぁba ゔぃbi ゔぇbe ゔぉbo でゅdyu てゅtyu ふゅfyu';

const ROMAJI = new Map(
  SYLLABLES.split(' ').map((entry) => {
    const kana = entry.replace(/[a-z]+$/, '');
    return [kana, entry.slice(kana.length)] as const;
  }),
);

const KATAKANA_TO_HIRAGANA = 0x60;
const KANA_RUN = /[ぁ-ゖァ-ヶー]+/gu;
/** Dashes typed in place of the long vowel mark. */
const DASH_AS_LONG_VOWEL = /(?<=[ぁ-ゖァ-ヶー])[-‐-―−─]/gu;

/**
 * Converts each run of hiragana or katakana to one romaji word between spaces; other characters are kept. Long vowel marks
 * and small tsu are dropped, since customers use them inconsistently. Expects NFKC text.
 */
export function kanaToRomaji(text: string): string {
  return text.replace(DASH_AS_LONG_VOWEL, 'ー').replace(KANA_RUN, (run) => ` ${romajiOfRun(run)} `);
}

function romajiOfRun(run: string): string {
  const kana = run.replace(/[ァ-ヶ]/gu, toHiragana).replace(/[ーっ]/gu, '');
  let romaji = '';
  for (let at = 0; at < kana.length;) {
    const pair = ROMAJI.get(kana.slice(at, at + 2));
    const isPair = pair !== undefined && at + 1 < kana.length;
    romaji += isPair ? pair : (ROMAJI.get(kana.charAt(at)) ?? '');
    at += isPair ? 2 : 1;
  }
  return romaji;
}

function toHiragana(katakana: string): string {
  return String.fromCharCode(katakana.charCodeAt(0) - KATAKANA_TO_HIRAGANA);
}
