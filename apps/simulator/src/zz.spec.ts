import { it } from '@jest/globals';
import { readOrder } from './models/order-clerk/read-order.js';
const show = (t: string) => { const o = readOrder(t); console.log(t.split('\n')[0] + '\n' + JSON.stringify({...o, lines: undefined}) + '\n' + o.lines.map(l => JSON.stringify([l.query, l.quantity, l.uom, l.pack, l.remark, l.doubts.map(d=>d.kind).join(), '«'+l.originalText+'»', l.name])).join('\n')); };
it('x', () => {
show(`Hi Maria,

Hope you're well. Could we please get the following for delivery Thursday 14 May:

- 3 cases of Roma tomatoes (25 lb)
- 2 cs 10023 romaine hearts
- 12 each avocados, ripe please
- 5 lbs unsalted butter
- 2 x 50 lb bags of flour
- Tomatoes, cherry – 4 cs
- 1/2 case lemons
- 2 doz eggs
* 2-3 cases limes (no substitutes)
- parsley
and one case of lemons.

Please leave at the back door before 7am. Call me on 555-0134 if anything is short.

Thanks,
Tom Becker
Blue Heron Bistro
12 Harbour St, Portland
Tel. (503) 555-0134`);
show(`ORDER FAX   TO: PACIFIC PRODUCE  FAX 503-555-0199
DATE 05/14/26   ACCT 44821
FROM: HARBOR GRILL
ITEM#   QTY  UOM  DESCRIPTION
10023   3    CS   ROMA TOMATO 25#
10088   2    EA   BASIL FRESH 1 LB
VEG-1010  4 CS  ROMAINE HEARTS 12/3CT
10091   10   LBS  BUTTER UNSALTED
10100   6    OLIVE OIL EV 6/1 L
PO# 8821
THANK YOU`);
show(`お世話になっております。ビストロ青空の山田です。
下記の通り発注をお願いいたします。

・ローマトマト　３ケース
・無塩バター　５ポンド
・レモン 20個
・10023 2CS
アボカドを12個、よく熟したものでお願いします。
トマト3ケースとレモン二十個をお願いします。
牛乳 1L 6本
小麦粉 25kg 2袋
玉ねぎ　10キロ
※代替品不可

納品は5月14日（木）午前中でお願いします。
電話 03-1234-5678
よろしくお願いいたします。`);
show('Can we get 3 cases of tomatoes and 2 cs lemons for tomorrow? Thanks!');
show('Morning! need 4 cs romaine, 10 lb butter unsalted, 6 ea #10 cans tomatoes & a case of limes pls');
show('Hi, what are your opening hours? We have 3 locations.');
show('How much is 10023?');
show('12 lemons\n6 limes\n2 avocados');
show('Please add 2 bags of flour 50 lb and 1 jug milk 1 gal');
show('Last week we received only 2 cases of tomatoes. Please send 3 cases of basil instead.');
show('order: romaine x3, tomatoe roma x 2, 10023 x4');
show('Hello\n1. Roma tomatos 3cs\n2. Lemons 2 cases\n3. 10 lbs chkn breast bnls\n4) Milk 2% gal - 4 ea');
});
