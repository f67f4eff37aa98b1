import { describe, expect, it } from '@jest/globals';
import { readPage } from '../../../../examples/order-entry/capstan/domains/order-entry/page/read-page.ts';

describe('the page that a user had open', () => {
  it('is what it shows: texts without markup, one a line, each once', () => {
    const html = `<html><head><title>Hidden</title><style>b {color: red}</style></head><body>
      <h1>Order  form</h1><script>steal("<b>everything</b>")</script>
      <table><tr><td>Roma &amp; vine</td><td><b>5</b> cases</td></tr><tr><td>Roma &amp; vine</td></tr></table></body></html>`;
    expect(readPage({ html, title: 'Orders', rows: [{ item: 'Lemons', count: 3 }], gone: null })).toBe(
      ['Orders', 'Order form', 'Roma & vine', '5 cases', 'Lemons'].join('\n'),
    );
  });

  it('is cut where it is long, between characters', () => {
    const long = readPage({ text: '漬'.repeat(10_000) });
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(8_000);
    expect(long).toMatch(/^漬+$/);
  });

  it('is read within a moment for any content', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(500)}"far below"${'}'.repeat(500)}`) as object;
    expect(readPage({ ...deep, html: '<script>'.repeat(60_000), other: '<'.repeat(400_000) })).not.toContain(
      'far',
    );
  });
});
