import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { readOrder } from './read-order.js';

const EMAIL = `Hi Maria,

Hope you're well. Could we please get the following for delivery Thursday 14 May:

- 3 cases of Roma tomatoes (25 lb)
- 2 cs 10023 romaine hearts
- 12 each avocados, ripe please
* 2 cs limes
  (no substitutes)
and one case of lemons.

Please leave at the back door before 7am. Call me on 555-0134 if anything is short.

Thanks,
Tom Becker
Blue Heron Bistro
12 Harbour St, Portland
Tel. (503) 555-0134

On Mon, May 4, 2026 at 9:00 AM Maria <maria@pacific.example> wrote:
> 9 cases of something else`;

const FAX = `ORDER FAX   TO: PACIFIC PRODUCE  FAX 503-555-0199
DATE 05/14/26   ACCT 44821
FROM: HARBOR GRILL
ITEM#   QTY  UOM  DESCRIPTION
10023   3    CS   ROMA TOMATO 25#
VEG-1010  4 CS  ROMAINE HEARTS 12/3CT
10091   10   LBS  BUTTER UNSALTED
10100   6    OLIVE OIL EV 6/1 L
PO# 8821
THANK YOU`;

const JAPANESE = `お世話になっております。ビストロ青空の山田です。
下記の通り発注をお願いいたします。

・ローマトマト\u3000３ケース
・レモン 20個
玉ねぎ\u300010キロ
※代替品不可

納品は5月14日（木）午前中でお願いします。
電話 03-1234-5678
よろしくお願いいたします。`;

describe('a letter', () => {
  it('in English is read without greeting, dates, phones, signature and quoted mail', () => {
    const order = readOrder(EMAIL);
    expect(order.language).toBe('en');
    expect(order.lines.map((line) => [line.query, line.quantity, line.uom, line.remark])).toEqual([
      ['Roma tomatoes', 3, 'CS', null],
      ['10023', 2, 'CS', null],
      ['avocados', 12, 'Ea', 'ripe please'],
      ['limes', 2, 'CS', 'no substitutes'],
      ['lemons', 1, 'CS', null],
    ]);
    expect(order.customer).toEqual({ name: 'Blue Heron Bistro', account: null });
    expect(order.notes).toEqual([
      'Please leave at the back door before 7am. Call me on 555-0134 if anything is short.',
    ]);
  });

  it('by fax is read column by column', () => {
    const order = readOrder(FAX);
    expect(order.lines.map((line) => [line.code, line.name, line.quantity, line.uom, line.pack])).toEqual([
      ['10023', 'ROMA TOMATO', 3, 'CS', '25#'],
      ['VEG-1010', 'ROMAINE HEARTS', 4, 'CS', '12/3CT'],
      ['10091', 'BUTTER UNSALTED', 10, 'Lbs', null],
      ['10100', 'OLIVE OIL EV', 6, '', '6/1 L'],
    ]);
    expect(order.customer).toEqual({ name: 'HARBOR GRILL', account: '44821' });
  });

  it('in Japanese is read with its remarks and notes', () => {
    const order = readOrder(JAPANESE);
    expect(order.language).toBe('ja');
    expect(order.lines.map((line) => [line.query, line.quantity, line.uom, line.remark])).toEqual([
      ['ローマトマト', 3, 'CS', null],
      ['レモン', 20, 'Ea', null],
      ['玉ねぎ', 10, '', '代替品不可'],
    ]);
    expect(order.customer.name).toBe('ビストロ青空');
    expect(order.notes).toEqual(['納品は5月14日(木)午前中でお願いします。']);
  });

  it('with context of the service below is read without it', () => {
    const order = readOrder(
      '3 cs lemons\n\n\n\ncustomerAccountNumber: 4001\ncustomerAccountName: Harbor Grill\nbranchOrgId: 12',
    );
    expect(order.lines).toHaveLength(1);
    expect(order.customer.name).toBe('Harbor Grill');
  });

  it.each([
    [
      'From: Marco <orders@harborgrill.example>\nSubject: Thursday order - Harbor Grill\n3 cs lemons\nThanks\nMarco',
      'Harbor Grill',
    ],
    ['Hi, this is Rosa from Casa Mariposa. For tomorrow:\n3 cs lemons', 'Casa Mariposa'],
    ['3 cs lemons\nthx, Old Mill Steakhous', 'Old Mill Steakhous'],
    ['3 cs lemons\nBest regards,\nBluebird Cafe', 'Bluebird Cafe'],
    ['NORTHSIDE SCHOOL KITCHEN\nATTN: ORDER DESK\n3 cs lemons', 'NORTHSIDE SCHOOL KITCHEN'],
    ['ラーメン風、佐藤です。\n海苔 1ケース', 'ラーメン風'],
    ['お世話になっております、佐藤です。\n海苔 1ケース', null],
    ['3 cs lemons', null],
  ])('says who orders: %j', (text, name) => {
    expect(readOrder(text).customer.name).toBe(name);
  });
});

describe('the example orders', () => {
  const FOLDER = new URL('../../../../../examples/order-entry/texts/', import.meta.url);

  it.each([
    ['01-email-english.txt', 'Harbor Grill', 8],
    ['02-fax-list.txt', 'NORTHSIDE ELEMENTARY SCHOOL KITCHEN', 10],
    ['03-japanese.txt', '居酒屋たぬき', 9],
    ['04-mixed-units.txt', 'Casa Mariposa', 10],
    ['05-typo.txt', 'Old Mill Steakhous', 8],
    ['06-unknown-item.txt', 'Bluebird Cafe', 6],
    ['07-corrections.txt', 'ラーメン風', 6],
  ])('%s has the lines its author meant', async (file, name, count) => {
    const order = readOrder(await readFile(new URL(file, FOLDER), 'utf8'));
    expect(order.lines).toHaveLength(count);
    expect(order.customer.name).toBe(name);
    expect(order.lines.flatMap((line) => line.doubts)).toEqual([]);
  });
});
