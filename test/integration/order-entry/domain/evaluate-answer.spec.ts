import { describe, expect, it } from '@jest/globals';
import { evaluateAnswer } from '../../../../examples/order-entry/capstan/domains/order-entry/sending/evaluate-answer.ts';

const answer = (status: number, body: string, retryAfter: string | null = null) =>
  evaluateAnswer({ status, body, retryAfter }, 0);

describe('evaluateAnswer', () => {
  it.each([
    [201, '{"order_number": "SO-1"}', 'SO-1'],
    [200, '{"order_number": 17, "more": true}', '17'],
    [201, String.raw`{"order_number": "SO\u0000-\ud800"}`, 'SO-\ufffd'],
  ])('%d with a number is an order', (status, body, orderNumber) => {
    expect(answer(status, body)).toEqual({ kind: 'accepted', orderNumber });
  });

  it.each([
    '',
    'ok',
    'null',
    '[]',
    '{}',
    '{"order_number": ""}',
    '{"order_number": null}',
    String.raw`{"order_number": "\u0000"}`,
  ])('a success that names no order is asked for again: %j', (body) => {
    expect(answer(201, body)).toMatchObject({ kind: 'passing', fault: { code: 'answer_unreadable' } });
  });

  it.each([
    [400, 'refused', 'order_refused', 'nothing'],
    [422, 'refused', 'order_refused', 'nothing'],
    // 303 is a usual answer to a successful POST.
    [301, 'refused', 'service_turned_away', 'perhaps'],
    [303, 'refused', 'service_turned_away', 'perhaps'],
    [308, 'refused', 'service_turned_away', 'perhaps'],
    [401, 'refused', 'service_turned_away', 'nothing'],
    [403, 'refused', 'service_turned_away', 'nothing'],
    [404, 'refused', 'service_turned_away', 'nothing'],
    [408, 'passing', 'service_trouble', 'perhaps'],
    [409, 'passing', 'service_trouble', 'perhaps'],
    [425, 'passing', 'service_trouble', 'perhaps'],
    [429, 'passing', 'service_trouble', 'perhaps'],
    [500, 'passing', 'service_trouble', 'perhaps'],
    [503, 'passing', 'service_trouble', 'perhaps'],
  ])('%d is %s', (status, kind, code, arrived) => {
    expect(answer(status, '{"order_number": "SO-1"}')).toMatchObject({
      kind,
      fault: { code, status, arrived },
    });
  });

  it('waits for as long as the service asks for', () => {
    expect(answer(503, '', '30')).toMatchObject({ kind: 'passing', afterMs: 30_000 });
    expect(answer(503, '')).toMatchObject({ kind: 'passing', afterMs: null });
  });
});
