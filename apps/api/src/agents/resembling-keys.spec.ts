import { describe, expect, it } from '@jest/globals';
import { optionNames } from '#libs/payloads';
import { responsesParameters } from '#libs/model-providers';
import { findResemblingKeys } from './resembling-keys.js';

describe('findResemblingKeys', () => {
  it.each<[string, string | undefined]>([
    ['temprature', 'temperature'],
    ['temperatur', 'temperature'],
    ['Temperature', 'temperature'],
    ['max_iterations', 'maximum_iterations'],
    ['maxIterations', 'maximum_iterations'],
    ['iterations', 'maximum_iterations'],
    ['temp', 'temperature'],
    ['timeout', 'timeout_seconds'],
    ['maximum', 'maximum_iterations'],
    ['customer_number', undefined],
    ['maximum_iteration', 'maximum_iterations'],
    ['reasoning-effort', 'reasoning_effort'],
    ['strategi', 'strategy'],
    ['budge', 'budget'],
    ['temperature', undefined],
    ['timeout_seconds', undefined],
    ['colour', undefined],
    ['n', undefined],
    ['', undefined],
  ])('%j looks like %j', (key, meant) =>
    expect(findResemblingKeys([key], optionNames(responsesParameters))).toEqual(
      meant === undefined ? [] : [{ key, meant }],
    ),
  );

  it('takes the nearest of several', () =>
    expect(findResemblingKeys(['abcd'], ['abcxy', 'abce'])).toEqual([{ key: 'abcd', meant: 'abce' }]));
});
