import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OrderLine } from './order-line.js';
import { readOrder } from './read-order.js';

type Expected = readonly [query: string, quantity: number, uom: string, rest?: Partial<OrderLine>];

function check(text: string, expected: readonly Expected[]): void {
  const { lines } = readOrder(text);
  expect(lines.map(({ query, quantity, uom }) => [query, quantity, uom])).toEqual(
    expected.map(([query, quantity, uom]) => [query, quantity, uom]),
  );
  expected.forEach(([, , , rest], index) => expect(lines[index]).toMatchObject(rest ?? {}));
}

describe('an order line', () => {
  it.each<[string, ...Expected]>([
    ['3 cases of Roma tomatoes', 'Roma tomatoes', 3, 'CS'],
    ['2cs lemons', 'lemons', 2, 'CS'],
    ['12 each avocados, ripe please', 'avocados', 12, 'Ea', { remark: 'ripe please' }],
    ['40 lbs ribeye, lip-on', 'ribeye lip-on', 40, 'Lbs', { remark: null }],
    ['10# pork butt', 'pork butt', 10, 'Lbs'],
    ['1.5 cs limes', 'limes', 1.5, 'CS'],
    ['1/2 case lemons', 'lemons', 0.5, 'CS'],
    ['2½ cases lemons', 'lemons', 2.5, 'CS'],
    ['half a case of jalapenos', 'jalapenos', 0.5, 'CS'],
    ['a dozen fresh basil', 'fresh basil', 12, 'Ea', { remark: '1 dozen' }],
    ['one box of napkins', 'napkins', 1, 'CS'],
    ['1,200 ea paper cups', 'paper cups', 1200, 'Ea'],
    ['flour tortillas 3cs', 'flour tortillas', 3, 'CS'],
    ['Tomatoes, cherry – 4 cs', 'Tomatoes cherry', 4, 'CS'],
    ['cumin, 1 ea', 'cumin', 1, 'Ea'],
    ['black beans x 2 cases', 'black beans', 2, 'CS'],
    ['romaine cs x3', 'romaine', 3, 'CS'],
    ['2 x 50 lb bags of flour', 'flour', 2, 'Ea', { pack: '50 lb' }],
    ['2 50-lb bags flour', 'flour', 2, 'Ea', { pack: '50-lb' }],
    ['Sugar, 50 lb bag, 3 ea', 'Sugar', 3, 'Ea', { pack: '50 lb bag' }],
    ['3 cases Roma tomatoes (25 lb)', 'Roma tomatoes', 3, 'CS', { pack: '25 lb' }],
    ['Roma tomatoes (25 lb), 3 cs', 'Roma tomatoes', 3, 'CS', { pack: '25 lb' }],
    ['olive oil 4/1 gal 1 cs', 'olive oil', 1, 'CS', { pack: '4/1 gal' }],
    ['6 ea #10 cans tomatoes', 'tomatoes', 6, 'Ea'],
    ['2 cs 10023 romaine hearts', '10023', 2, 'CS', { code: '10023', name: 'romaine hearts' }],
    ['item #10023 - 3 cs', '10023', 3, 'CS'],
    ['veg-1010 4 CS', 'veg-1010', 4, 'CS'],
    ['ROMA TOMATO | VEG-1010 | 3 | CS', 'VEG-1010', 3, 'CS'],
    ['2 cs chicken breast (no substitutes)', 'chicken breast', 2, 'CS', { remark: 'no substitutes' }],
    ['2 cs tomatoes (roma)', 'tomatoes roma', 2, 'CS', { remark: null }],
    ['10 cs 2% milk @ $4.50', '2% milk', 10, 'CS'],
    ['Can we get 3 cases of tomatoes for tomorrow?', 'tomatoes', 3, 'CS'],
    ['For the brunch we will need 4 cs strawberries', 'strawberries', 4, 'CS'],
    ['Please send 3 cases of basil instead.', 'basil', 3, 'CS'],
    ['ローマトマト　３ケース', 'ローマトマト', 3, 'CS'],
    ['・無塩バター　５ポンド', '無塩バター', 5, 'Lbs'],
    ['3ケースのトマト', 'トマト', 3, 'CS'],
    ['アボカドを12個、よく熟したものでお願いします', 'アボカド', 12, 'Ea', { remark: 'よく熟したもの' }],
    ['レモン二十個をお願いします', 'レモン', 20, 'Ea'],
    ['あとバター5ポンドください', 'バター', 5, 'Lbs'],
    ['小麦粉 25kg 2袋', '小麦粉', 2, 'Ea', { pack: '25kg' }],
    ['鶏もも 2ケース', '鶏もも', 2, 'CS'],
    ['もやしを1ケース', 'もやし', 1, 'CS'],
    ['新しょうが 3パック', '新しょうが', 3, 'Ea'],
    ['ＶＥＧ－１２１０ もやし 2ケース', 'VEG-1210', 2, 'CS', { name: 'もやし' }],
    ['ﾄﾏﾄ缶 ×3', 'トマト缶', 3, ''],
  ])('%s', (text, ...expected) => {
    check(text, [expected]);
  });

  it.each<[string, ...Expected[]]>([
    ['3 cs tomatoes and 2 cs lemons', ['tomatoes', 3, 'CS'], ['lemons', 2, 'CS']],
    ['tomatoes 3 cs, lemons 2 cs', ['tomatoes', 3, 'CS'], ['lemons', 2, 'CS']],
    [
      '4 cs romaine, 10 lb butter & a case of limes pls',
      ['romaine', 4, 'CS'],
      ['butter', 10, 'Lbs'],
      ['limes', 1, 'CS'],
    ],
    ['トマト3ケースとレモン20個をお願いします', ['トマト', 3, 'CS'], ['レモン', 20, 'Ea']],
    ['トマトを3ケース、バター5ポンド', ['トマト', 3, 'CS'], ['バター', 5, 'Lbs']],
  ])('may stand beside others: %s', (text, ...expected) => {
    check(text, expected);
  });

  it.each<[string, string]>([
    ['2-3 cases limes', 'unclear_quantity'],
    ['玉ねぎ 10キロ', 'unknown_unit'],
    ['150 cs lemons', 'large_quantity'],
  ])('with an unclear part is marked as unclear: %s', (text, kind) => {
    expect(readOrder(text).lines[0]?.doubts.map((doubt) => doubt.kind)).toEqual([kind]);
  });

  it('keeps the words of the customer', () => {
    const { lines } = readOrder('- 3  cases of Roma tomatoes and 2 cs lemons');
    expect(lines.map((line) => line.originalText)).toEqual(['3 cases of Roma tomatoes', '2 cs lemons']);
  });
});

describe('texts without an order line', () => {
  it.each([
    'Hi Maria, hope you are well!',
    'Delivery on Thursday May 14 before 7am please.',
    'Call me on (503) 555-0134 or 555-0199.',
    '12 Harbour Street, Portland, 97201',
    'PO# 22113, account 44821',
    'We have 3 locations and 40 guests.',
    'How much are 3 cases of lemons?',
    'Last week we received only 2 cases of tomatoes.',
    'お世話になっております。',
    '納品は5月14日（木）午前10時でお願いします。',
    '電話 03-1234-5678',
    'ビストロ青空 東京都港区1丁目2番3号',
    'トマトは3ケースありますか？',
    '',
  ])('%j', (text) => {
    expect(readOrder(text).lines).toEqual([]);
  });
});

describe('lines without a unit', () => {
  it('count in a list', () => {
    check('12 lemons\nlimes 6\n2 avocados', [
      ['lemons', 12, ''],
      ['limes', 6, ''],
      ['avocados', 2, ''],
    ]);
  });

  it('count with a code or a bullet, not in a sentence', () => {
    check('10023 3', [['10023', 3, '']]);
    check('- 12 lemons', [['lemons', 12, '']]);
    check('See you at 12 Main', []);
  });

  it('are asked about when a list gives no number', () => {
    check('- 3 cs lemons\n- 2 cs limes\n- parsley', [
      ['lemons', 3, 'CS'],
      ['limes', 2, 'CS'],
      ['parsley', 0, '', { doubts: [{ kind: 'no_quantity' }] }],
    ]);
  });
});

describe('a correction further down', () => {
  it.each([
    ['3 cs lemons\n2 cs limes\nsorry, make that 4 cs lemons', 'lemons', 4],
    ['卵 1ケース\n海苔 1ケース\nあ、卵は2ケースに変更でお願いします。', '卵', 2],
  ])('replaces the quantity: %j', (text, query, quantity) => {
    const { lines } = readOrder(text);
    expect(lines).toHaveLength(2);
    expect(lines.find((line) => line.query === query)?.quantity).toBe(quantity);
  });
});

describe('any text', () => {
  it('is read, and every line found has something to search for', () => {
    const words = fc.constantFrom(
      '3',
      ' ',
      'cs',
      'トマト',
      'ケース',
      ',',
      '-',
      '(',
      ')',
      '\n',
      'x',
      '#',
      'を',
      'lemons',
      'VEG-1010',
      '1/2',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(words, { maxLength: 60 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (anything) => {
        for (const line of readOrder(anything).lines) {
          expect(line.query).not.toBe('');
          expect(line.quantity).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(['.', 'a', ' ', '9', '- ', 'をお願いします', 'please ', '3 cs ', '(', 'account '])(
    'with %j a hundred thousand times comes to an end',
    (piece) => {
      expect(readOrder(piece.repeat(100_000)).lines.length).toBeLessThanOrEqual(200);
    },
  );
});
