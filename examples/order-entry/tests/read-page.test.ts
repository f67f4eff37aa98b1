import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../capstan/domains/order-entry/page/read-page.ts';

test('a page is its visible texts, title first, one a line', () => {
  const html =
    '<html><head><title>Hidden</title></head><body><!-- note --><h1>Order  form</h1>' +
    '<script>if (1 < 2) steal("<b>all</b>")</script><p>Roma &amp; vine, <b>5</b> cases &#8364;</p></body></html>';
  assert.equal(readPage({ title: 'Orders', html }), 'Orders\nOrder form\nRoma & vine, 5 cases €');
});

test('attributes, names of characters and markup of scripts are read as a browser reads them', () => {
  const html =
    '<p title="a > b">Cr&egrave;me&nbsp;fra&icirc;che</p><script>s = "</p>"; <!-- </script ><textarea>1 < 2 <b></textarea>';
  assert.equal(readPage({ html }), 'Crème fraîche\n1 < 2 <b>');
});

test('a page of any size and shape is read, in time that grows with its length', () => {
  for (const text of ['<', '<script>', '<script></script>', '<!--', '<a', '&', '</'])
    assert.equal(typeof readPage({ html: text.repeat(50_000) }), 'string');
});
