import { it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { readOrder } from './models/order-clerk/read-order.js';
const show = (n: string, t: string) => { const o = readOrder(t); console.log('=== ' + n + '\n' + JSON.stringify({...o, lines: undefined}) + '\n' + o.lines.map(l => JSON.stringify([l.query, l.quantity, l.uom, l.pack, l.remark, l.doubts.map(d=>d.kind).join(), '«'+l.originalText+'»', l.name])).join('\n')); };
it('x', () => {
for (const f of readdirSync('examples/orders').filter(f => f.endsWith('.txt'))) show(f, readFileSync('examples/orders/'+f, 'utf8'));
show('a', 'Can we get 3 cases of tomatoes and 2 cs lemons for tomorrow? Thanks!');
show('b', 'Last week we received only 2 cases of tomatoes. Please send 3 cases of basil instead.');
show('c', '3 cs lemons\n2 cs limes\nsorry, make that 4 cs lemons');
show('d', 'PO 4471\nShip to: 12 Main Street\n10 cs 2% milk @ $4.50\n24 ea VEG-1200 basil\n2 #10 cans tomatoes\n3x 6/5 lb cheese cs');
show('e', 'Sugar, 50 lb bag, 3 ea\nflour (50 lb) 2 bags\nolive oil 4/1 gal 1 cs\nROMA TOMATO | VEG-1010 | 3 | CS');
show('f', 'トマトを３ケースとレモンを２ケース、あとバター５ポンドください。');
show('g', 'Order for Friday May 15, PO# 22113: 5 cs chicken breast, 2cs wings; 40# ground beef. Deliver to 450 Oak Ave. before 10am. Questions call 503-555-0123');
});
