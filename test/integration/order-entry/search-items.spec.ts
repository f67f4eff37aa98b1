import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { createTestDatabase } from '../../support/services/test-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { callTool, findTool, openOrderEntry, STRANGER, TENANT } from './order-entry-database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await openOrderEntry(database);
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const itemsAnswerSchema = z.strictObject({
  status: z.literal('success'),
  result: z.strictObject({
    message: z.string().min(1),
    items: z.array(
      z.strictObject({
        item_num: z.string(),
        name: z.string(),
        pack_size: z.string(),
        uom: z.enum(['CS', 'Ea', 'Lbs']),
        score: z.number().min(0).max(1),
      }),
    ),
  }),
});

async function searchItems(query: string, limit: number | null = null, tenantId = TENANT) {
  const { result, bake, staged } = await callTool(
    findTool(dataSource, 'search_items'),
    { query, limit },
    tenantId,
  );
  expect({ bake, staged }).toEqual({});
  return itemsAnswerSchema.parse(result).result;
}

describe('search_items', () => {
  it.each([
    ['the item number', 'VEG-1010', 'VEG-1010'],
    ['lower case without the hyphen', 'veg1010', 'VEG-1010'],
    ['full width', 'ＶＥＧ－１０１０', 'VEG-1010'],
    ['the letter O for zero', 'VEG-1O1O', 'VEG-1010'],
    ['number and name', 'VEG-1010 toms', 'VEG-1010'],
    ['a part of the number', '1010', 'VEG-1010'],
    ['the name', 'roma tomatoes', 'VEG-1010'],
    ['the name in capitals', 'ROMA TOMATOES', 'VEG-1010'],
    ['the name in full width', 'Ｒｏｍａ　Ｔｏｍａｔｏｅｓ', 'VEG-1010'],
    ['the singular', 'roma tomato', 'VEG-1010'],
    ['katakana', 'ローマトマト', 'VEG-1010'],
    ['hiragana', 'ろーまとまと', 'VEG-1010'],
    ['half-width katakana', 'ﾛｰﾏﾄﾏﾄ', 'VEG-1010'],
    ['an English alias', 'scallions', 'VEG-1070'],
    ['an abbreviation', 'evoo', 'SAU-8010'],
    ['a Japanese alias', '玉葱', 'VEG-1060'],
    ['a Japanese alias without its okurigana', '豚バラ肉', 'MEA-3065'],
    ['an accent left out', 'jalapeno', 'VEG-1145'],
    ['a letter left out', 'romain letuce hearts', 'VEG-1030'],
    ['letters swapped', 'sirracha', 'SAU-8080'],
    ['two misspelt words', 'chiken brest', 'PLT-4010'],
    ['a misspelt long name', 'extra virgn olive oil', 'SAU-8010'],
    ['another order of words', 'boneless breast chicken', 'PLT-4010'],
    ['words of an order around it', '2 cs of roma tomatoes please', 'VEG-1010'],
    ['the count that distinguishes two sizes', 'shrimp 31/40', 'SEA-5065'],
    ['a Japanese name with its size', '手袋 L', 'SUP-9715'],
  ])('finds the item by %s: %s (S2-9)', async (_how, query, itemNum) => {
    const { items } = await searchItems(query);
    expect(items[0]?.item_num).toBe(itemNum);
    expect(items[0]?.score).toBeGreaterThanOrEqual(0.6);
  });

  it('answers what the model needs to write a line, and no more (S2-8)', async () => {
    expect((await searchItems('roma tomatoes', 1)).items).toEqual([
      { item_num: 'VEG-1010', name: 'Roma Tomatoes', pack_size: '25 LB', uom: 'CS', score: 1 },
    ]);
  });

  it('lists the items whose numbers begin alike (S2-9)', async () => {
    const { items } = await searchItems('VEG-10', 20);
    const near = items.filter((item) => item.score >= 0.6);
    expect(near).toHaveLength(16);
    expect(near.every((item) => item.item_num.startsWith('VEG-10'))).toBe(true);
  });

  it('puts the best first', async () => {
    const scores = (await searchItems('chicken', 20)).items.map((item) => item.score);
    expect(scores.length).toBeGreaterThan(3);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it.each([
    [1, 1],
    [3, 3],
    [null, 5],
  ])('with the limit %j shows %d items', async (limit, count) => {
    expect((await searchItems('chicken', limit)).items).toHaveLength(count);
  });

  it.each(['xylophone', '!!!', '  ', '%', "'; drop schema public; --", 'qq\u0000xx', 'ぬぬぬぬ'])(
    'answers an empty list with a message where nothing is near: %j',
    async (query) => {
      const { items, message } = await searchItems(query);
      expect(items).toEqual([]);
      expect(message).toContain('No item of the catalogue is near');
    },
  );

  it.each(['unicorn steak', 'durian paste', 'truffle oil', 'edible gold leaf'])(
    'gives no high score to what the catalogue does not have: %s',
    async (query) => {
      const { items } = await searchItems(query);
      expect(items[0]?.score ?? 0).toBeLessThan(0.6);
    },
  );

  it('does not find the items of another tenant', async () => {
    for (const query of ['VEG-1010', 'roma tomatoes', 'scallions', '1010']) {
      expect((await searchItems(query, 20, STRANGER)).items).toEqual([]);
    }
  });

  it('can use the trigram indexes', async () => {
    const plan = await dataSource.transaction(async (manager) => {
      await manager.query('set local enable_seqscan = off');
      return manager.query<{ 'QUERY PLAN': string }[]>(
        `explain select id from order_entry.catalogue_item where (search_name % $1 or search_name %> any($2))`,
        ['tomato', ['tomato']],
      );
    });
    expect(JSON.stringify(plan)).toContain('ix_catalogue_item_search_name');
  });
});

describe('search_customers', () => {
  async function searchCustomers(query: string, tenantId = TENANT) {
    const { result } = await callTool(
      findTool(dataSource, 'search_customers'),
      { query, limit: 3 },
      tenantId,
    );
    const answer = z.object({
      customers: z.array(z.object({ account_number: z.number(), score: z.number() })),
    });
    return answer.parse(result.result).customers;
  }

  it.each([
    ['the name', 'Harbor Grill', 4001],
    ['a misspelling', 'Harbour Gril', 4001],
    ['a name with an address after it', 'Harbor Grill, 12 Pier Street', 4001],
    ['the account number', '4003', 4003],
    ['the e-mail address', 'Orders <ORDERS@harborgrill.example>', 4001],
    ['the Japanese name', 'さくらダイニング', 4003],
    ['the Japanese name in other kana', '居酒屋タヌキ', 4004],
    ['a part of the name', 'tanuki', 4004],
  ])('finds the customer by %s: %s (S2-9)', async (_how, query, accountNumber) => {
    const [best] = await searchCustomers(query);
    expect(best?.account_number).toBe(accountNumber);
    expect(best?.score).toBeGreaterThanOrEqual(0.6);
  });

  it('answers an empty list without a similar name', async () => {
    expect(await searchCustomers('zzz qqq')).toEqual([]);
  });

  it('does not find the customers of another tenant', async () => {
    for (const query of ['Harbor Grill', '4001', 'orders@harborgrill.example']) {
      expect(await searchCustomers(query, STRANGER)).toEqual([]);
    }
  });
});
