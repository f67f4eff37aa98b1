import { describe, expect, it } from '@jest/globals';
import { toSearchedWords } from './searched-words.js';

describe('the words that a text is searched by', () => {
  it.each([
    ['Parcels go out at noon.', 'Parcels go out at noon.'],
    ['検索機能', ' 検索 索機 機能 '],
    ['本', ' 本 '],
    ['検索 and 東京タワー', ' 検索  and  東京 京タ タワ ワー '],
    ['𠮷野家', ' 𠮷野 野家 '],
    ['', ''],
    ['検索\n機能', ' 検索 索機 機能 '],
    ['検索\n\n機能', ' 検索 \n\n 機能 '],
    ['one\ntwo', 'one\ntwo'],
    ['第４７１１号、ﾀﾜｰ', ' 第 4711 号 、 タワ ワー '],
    ['شَلَّالـــ', 'شلال'],
    ['أحمد على المدرسة', 'احمد علي المدرسه'],
    ['کتاب فارسی', 'كتاب فارسي'],
    ['שָׁלוֹם', 'שלום'],
    ['Café', 'Café'],
  ])('for %j are %j', (text, expected) => {
    expect(toSearchedWords(text)).toBe(expected);
  });
});
