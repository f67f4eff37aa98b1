import { describe, expect, it } from '@jest/globals';
import {
  toSearchCode,
  toSearchText,
} from '../../../../examples/order-entry/capstan/domains/order-entry/search/search-text.ts';

describe('toSearchText', () => {
  it.each([
    ['width', 'Ｒｏｍａ　Ｔｏｍａｔｏｅｓ', 'roma tomatoes'],
    ['case', 'ROMA tomatoes', 'Roma Tomatoes'],
    ['half-width kana', 'ﾛｰﾏﾄﾏﾄ', 'ローマトマト'],
    ['voiced half-width kana', 'ﾊﾟﾝ粉', 'パン粉'],
    ['hiragana and katakana', 'ろーまとまと', 'ローマトマト'],
    ['a missing long vowel mark', 'ロマトマト', 'ローマトマト'],
    ['a dash typed for the long vowel mark', 'ロ-マトマト', 'ローマトマト'],
    ['v written as b', 'エクストラヴァージン', 'エクストラバージン'],
    ['accents', 'Jalapeño', 'jalapeno'],
    ['plurals', 'tomato berry leaf radish cookie', 'tomatoes berries leafs radishes cookies'],
    ['ampersand', 'half & half', 'half and half'],
    ['punctuation', 'a.p. flour, (white)', 'a p flour white'],
    ['numbers next to units', '25lb', '25 LB'],
  ])('ignores %s (S2-9)', (_difference, one, other) => expect(toSearchText(one)).toBe(toSearchText(other)));

  it.each([
    ['豚肉', '鶏肉'],
    ['白みそ', '赤みそ'],
    ['とうふ', 'どうふ'],
    ['hummus', 'hummu'],
  ])('keeps %s and %s apart', (one, other) => expect(toSearchText(one)).not.toBe(toSearchText(other)));

  it.each(['豚バラ肉 500ｇ', '居酒屋たぬき', '🍣 寿司', 'Crème Brûlée', '한국 김치', 'a\u0000b', '\ud800'])(
    'turns %j into plain ASCII words, independent of the locale of the database',
    (text) => expect(toSearchText(text)).toMatch(/^[a-z0-9]+( [a-z0-9]+)*$|^$/),
  );

  it('finds an ideograph again within a compound', () => {
    expect(toSearchText('豚肩ロース').split(' ')).toContain(toSearchText('豚'));
  });

  it('gives every common ideograph a word of its own', () => {
    const ideographs = Array.from({ length: 0x9fff - 0x4e00 }, (_, index) =>
      String.fromCodePoint(0x4e00 + index),
    );
    const words = new Set(ideographs.map(toSearchText));
    expect(words.size).toBeGreaterThan(ideographs.length * 0.99);
  });

  it.each(['', '   ', '!!!', '🍎'])('is empty for %j', (text) => expect(toSearchText(text)).toBe(''));
});

describe('toSearchCode', () => {
  it.each([
    ['VEG-1010', 'VEG1010'],
    ['veg 1010', 'VEG1010'],
    ['ＶＥＧ－１０１０', 'VEG1010'],
    ['VEG-1O1O', 'VEG1010'],
    ['VEG-l0I0', 'VEG1010'],
  ])('%s becomes %s', (written, folded) => expect(toSearchCode(written)).toBe(folded));
});
