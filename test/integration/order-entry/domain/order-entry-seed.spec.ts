import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  toSearchCode,
  toSearchText,
} from '../../../../examples/order-entry/capstan/domains/order-entry/search/search-text.ts';
import {
  catalogueSeed,
  customerSeed,
} from '../../../../examples/order-entry/capstan/domains/order-entry/seed/order-entry-seed.ts';
import { parseSeedTable } from '../../../../examples/order-entry/capstan/domains/order-entry/seed/parse-seed-table.ts';

const repeated = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('the example catalogue', () => {
  it('has about 200 items', () => {
    expect(catalogueSeed.length).toBeGreaterThanOrEqual(190);
    expect(catalogueSeed.length).toBeLessThanOrEqual(260);
  });

  it('has unique item numbers, also where O and 0 are confused', () => {
    expect(repeated(catalogueSeed.map((item) => toSearchCode(item.itemNum)))).toEqual([]);
  });

  it('has unique digits in its item numbers, so that they suffice', () => {
    expect(repeated(catalogueSeed.map((item) => item.itemNum.slice(4)))).toEqual([]);
  });

  it('calls every item by names of its own: no name or alias fits two items', () => {
    const names = catalogueSeed.flatMap((item) => {
      const own = new Set([item.name, item.nameJa, ...item.aliases].map(toSearchText));
      return [...own];
    });
    expect(repeated(names)).toEqual([]);
  });

  it('has no alias that folds to another name of the same item', () => {
    const needless = catalogueSeed.filter((item) => {
      const names = [item.name, item.nameJa, ...item.aliases].map(toSearchText);
      return repeated(names.slice(1)).length > 0 || names.slice(2).includes(names[0] ?? '');
    });
    expect(needless.map((item) => item.itemNum)).toEqual([]);
  });

  it('has only names that a search can find', () => {
    const names = catalogueSeed.flatMap((item) => [item.name, item.nameJa, item.packSize, ...item.aliases]);
    expect(names.filter((name) => toSearchText(name) === '')).toEqual([]);
  });

  it('is sold by all three units', () => {
    expect([...new Set(catalogueSeed.map((item) => item.uom))].sort()).toEqual(['CS', 'Ea', 'Lbs']);
  });
});

describe('the example customers', () => {
  it('are about 12', () => expect(customerSeed.length).toBeGreaterThanOrEqual(12));

  it('have account numbers, names and addresses of their own', () => {
    expect(repeated(customerSeed.map((customer) => String(customer.accountNumber)))).toEqual([]);
    expect(repeated(customerSeed.map((customer) => customer.email))).toEqual([]);
    expect(repeated(customerSeed.flatMap(({ name, nameJa }) => [name, nameJa].map(toSearchText)))).toEqual(
      [],
    );
  });
});

describe('parseSeedTable', () => {
  const row = z.tuple([z.string().min(1), z.enum(['CS', 'Ea'])]);

  it('reads one row a line and trims cells', () => {
    expect(parseSeedTable('\n a b | CS\n\nc|Ea \n', row)).toEqual([
      ['a b', 'CS'],
      ['c', 'Ea'],
    ]);
  });

  it.each(['a', 'a | XX', ' | CS', 'a | CS | b'])('names the malformed row %j', (line) => {
    expect(() => parseSeedTable(`a | CS\n${line}`, row)).toThrow('this seed row is malformed');
    expect(() => parseSeedTable(`a | CS\n${line}`, row)).toThrow(line);
  });
});
