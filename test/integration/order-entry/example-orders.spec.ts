import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { createTestDatabase } from '../../support/services/test-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { callTool, findTool, openOrderEntry } from './order-entry-database.js';

const FOLDER = new URL('../../../examples/order-entry/texts/', import.meta.url);

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

/** Words of each text and the item they mean; null where the catalogue has none. */
const MEANT: readonly (readonly [file: string, words: string, itemNum: string | null])[] = [
  ['01-email-english.txt', 'Roma tomatoes', 'VEG-1010'],
  ['01-email-english.txt', 'romaine hearts', 'VEG-1030'],
  ['01-email-english.txt', 'jumbo yellow onions', 'VEG-1060'],
  ['01-email-english.txt', 'ribeye, lip-on', 'MEA-3010'],
  ['01-email-english.txt', 'chicken breast, boneless skinless', 'PLT-4010'],
  ['01-email-english.txt', 'heavy cream', 'DAI-6030'],
  ['01-email-english.txt', 'extra virgin olive oil', 'SAU-8010'],
  ['01-email-english.txt', 'ground black pepper', 'SPC-8510'],
  ['02-fax-list.txt', '2% MILK', 'DAI-6025'],
  ['02-fax-list.txt', 'LARGE EGGS', 'DAI-6010'],
  ['02-fax-list.txt', 'CHICKEN TENDERS', 'PLT-4035'],
  ['02-fax-list.txt', 'FRENCH FRIES 3/8', 'FRZ-9210'],
  ['02-fax-list.txt', 'MIXED VEG', 'FRZ-9235'],
  ['02-fax-list.txt', 'FUJI APPLES', 'FRT-2030'],
  ['02-fax-list.txt', 'DINNER ROLLS', 'BAK-9320'],
  ['02-fax-list.txt', 'KETCHUP', 'SAU-8065'],
  ['02-fax-list.txt', 'NAPKINS WHITE', 'SUP-9750'],
  ['02-fax-list.txt', 'GLOVES LARGE', 'SUP-9715'],
  ['03-japanese.txt', '鶏もも肉', 'PLT-4015'],
  ['03-japanese.txt', '豚バラ', 'MEA-3065'],
  ['03-japanese.txt', '長ねぎ', 'VEG-1075'],
  ['03-japanese.txt', '大根', 'VEG-1175'],
  ['03-japanese.txt', '木綿豆腐', 'JPN-9030'],
  ['03-japanese.txt', '濃口しょうゆ', 'SAU-8025'],
  ['03-japanese.txt', '枝豆', 'FRZ-9215'],
  ['03-japanese.txt', '割り箸', 'SUP-9740'],
  ['03-japanese.txt', 'レモン', 'FRT-2010'],
  ['04-mixed-units.txt', 'flank steak', 'MEA-3040'],
  ['04-mixed-units.txt', 'jalapenos', 'VEG-1145'],
  ['04-mixed-units.txt', 'jasmine rice', 'DRY-7015'],
  ['04-mixed-units.txt', 'fresh basil', 'VEG-1200'],
  ['04-mixed-units.txt', 'limes', 'FRT-2015'],
  ['04-mixed-units.txt', 'flour tortillas', 'BAK-9330'],
  ['04-mixed-units.txt', 'black beans', 'DRY-7095'],
  ['04-mixed-units.txt', 'cumin', 'SPC-8520'],
  ['04-mixed-units.txt', 'pork butt', 'MEA-3070'],
  ['04-mixed-units.txt', 'avos', 'FRT-2025'],
  ['05-typo.txt', 'shreded mozarella', 'DAI-6065'],
  ['05-typo.txt', 'bluberries', 'FRT-2050'],
  ['05-typo.txt', 'romain letuce hearts', 'VEG-1030'],
  ['05-typo.txt', 'sirracha', 'SAU-8080'],
  ['05-typo.txt', 'brocolli crowns', 'VEG-1110'],
  ['05-typo.txt', 'jalepenos', 'VEG-1145'],
  ['05-typo.txt', 'salmn fillet', 'SEA-5010'],
  ['05-typo.txt', 'worchestershire', 'SAU-8085'],
  ['06-unknown-item.txt', 'strawberries', 'FRT-2045'],
  ['06-unknown-item.txt', 'edible gold leaf', null],
  ['06-unknown-item.txt', 'butter croissants', 'BAK-9325'],
  ['06-unknown-item.txt', 'fresh orange juice', 'BEV-9440'],
  ['06-unknown-item.txt', 'dragon fruit puree', null],
  ['06-unknown-item.txt', 'plain greek yogurt', 'DAI-6055'],
  ['07-corrections.txt', '生ラーメン麺', 'DRY-7080'],
  ['07-corrections.txt', 'ＶＥＧ－１２１０', 'VEG-1210'],
  ['07-corrections.txt', '豚肩ロース', 'MEA-3070'],
  ['07-corrections.txt', '卵', 'DAI-6010'],
  ['07-corrections.txt', '海苔', 'JPN-9010'],
  ['07-corrections.txt', 'いつものやつ', null],
];

const CUSTOMERS: readonly (readonly [file: string, words: string, accountNumber: number])[] = [
  ['01-email-english.txt', 'Harbor Grill', 4001],
  ['02-fax-list.txt', '4006', 4006],
  ['03-japanese.txt', '居酒屋たぬき', 4004],
  ['04-mixed-units.txt', 'Casa Mariposa', 4012],
  ['05-typo.txt', 'Old Mill Steakhous', 4010],
  ['06-unknown-item.txt', 'Bluebird Cafe', 4002],
  ['07-corrections.txt', 'ラーメン風', 4008],
];

const matchesSchema = z.object({
  items: z.array(z.object({ item_num: z.string(), score: z.number() })).default([]),
  customers: z.array(z.object({ account_number: z.number(), score: z.number() })).default([]),
});

async function search(tool: string, query: string) {
  const { result } = await callTool(findTool(dataSource, tool), { query, limit: null });
  return matchesSchema.parse(result.result);
}

describe('the example orders', () => {
  it('are all checked here', async () => {
    const texts = (await readdir(FOLDER)).filter((name) => name.endsWith('.txt'));
    expect(texts.length).toBeGreaterThanOrEqual(6);
    expect([...new Set(MEANT.map(([file]) => file))].sort()).toEqual(texts.sort());
  });

  it.each(MEANT)('%s: "%s" means %s', async (file, words, itemNum) => {
    expect(await readFile(new URL(file, FOLDER), 'utf8')).toContain(words);
    const [best, second] = (await search('search_items', words)).items;
    if (itemNum === null) {
      expect(best?.score ?? 0).toBeLessThan(0.6);
      return;
    }
    expect(best?.item_num).toBe(itemNum);
    expect(best?.score).toBeGreaterThanOrEqual(0.75);
    expect((best?.score ?? 0) - (second?.score ?? 0)).toBeGreaterThanOrEqual(0.05);
  });

  it.each(CUSTOMERS)('%s: "%s" is the customer %d', async (file, words, accountNumber) => {
    expect(await readFile(new URL(file, FOLDER), 'utf8')).toContain(words);
    const [best] = (await search('search_customers', words)).customers;
    expect(best?.account_number).toBe(accountNumber);
    expect(best?.score).toBeGreaterThanOrEqual(0.75);
  });
});
