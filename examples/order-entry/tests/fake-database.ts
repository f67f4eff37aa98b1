import type { Database } from 'capstan/kit';

/** Answers the statements of the tools: one item and one customer, and the next number of an order request. */
export function fakeDatabase(): Database {
  let number = 0;
  const answer = (sql: string): readonly object[] => {
    if (sql.includes('nextval')) return [{ id: (number += 1) }];
    if (sql.includes('search_code')) return [ITEM];
    if (sql.includes('has_key')) return [CUSTOMER];
    if (sql.includes('SELECT item_num FROM')) return [{ item_num: ITEM.item_num }];
    if (sql.includes('SELECT id FROM order_entry.customer')) return [{ id: 1 }];
    throw new Error(`no answer to ${sql}`);
  };
  const database: Database = {
    query: <Row>(sql: string) => Promise.resolve(answer(sql) as Row[]),
    transaction: (work) => work(database),
  };
  return database;
}

const ITEM = {
  item_num: 'VEG-1010',
  name: 'Roma Tomatoes',
  pack_size: '25 LB',
  uom: 'CS',
  search_code: 'VEG1010',
  search_pack: '25 lb',
  texts: ['roma tomato'],
};
const CUSTOMER = {
  account_number: 4001,
  name: 'Harbor Grill',
  search_name: 'harbor grill',
  search_name_ja: '',
  has_key: false,
};

/** A line of a draft as a model writes it. */
export const LINE = {
  item_num: 'VEG-1010',
  quantity: 2,
  pack_size: '25 LB',
  uom: 'CS',
  remark: null,
  original_text: '2 cs roma toms',
  status: 'success',
  help_request_message: null,
  confidence: 'high',
} as const;
