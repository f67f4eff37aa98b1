import { describe, expect, it } from '@jest/globals';
import { jsonValuesIn } from './json-values.js';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('the values in a text', () => {
  it('are as they stand there, without commas before an end, and with control characters escaped', () => {
    expect(jsonValuesIn('{"a":[1,2, ],"b":"x\ny,}"} [ ] "c"')).toEqual([
      '{"a":[1,2],"b":"x\\ny,}"}',
      '[ ]',
      '"c"',
    ]);
  });

  it('are not read deeper than JSON may be nested: the work on 100,000 levels ends at the first of them', () => {
    expect(jsonValuesIn(nested(64))).toEqual([nested(64)]);
    expect(jsonValuesIn(nested(65))).toBeNull();
  });

  it.each(['}', '[', '{"a', 'x', '[1]x', '{"a":1'])('are none where %j is among them', (text) => {
    expect(jsonValuesIn(text)).toBeNull();
  });
});
