import { describe, expect, it } from '@jest/globals';
import { filesUnder } from './repository-files.js';

/** Sources of the service and its tools. Migrations and tests may insert rows that no release writes. */
const FOLDERS = ['libs', 'apps', 'scripts'];
const EXCEPT = /\/migrations\/|\.spec\.ts$/;

/** The only file that may insert into each table of facts, late evidence, audit rows, messages and usage. */
const WRITERS = {
  journal_entry: 'executions/append-facts.ts',
  late_evidence: 'executions/late-evidence.ts',
  run_step: 'executions/append-facts.ts',
  chat_message: 'executions/settle-batch.ts',
  usage_log: 'executions/usage-rows.ts',
};

const writes = (statement: string, table: string): RegExp =>
  new RegExp(`${statement}\\s+(ONLY\\s+)?("?public"?\\.)?"?${table}"?(?!\\w)`, 'i');
const INSERT = '(INSERT|MERGE)\\s+INTO|COPY';
const CHANGE = 'UPDATE|DELETE\\s+FROM';

const code = FOLDERS.flatMap((folder) => filesUnder(folder)).filter(({ path }) => !EXCEPT.test(path));
const filesThatWrite = (statement: string, table: string): string[] =>
  code.filter(({ text }) => writes(`(${statement})`, table).test(text)).map(({ path }) => path);

describe.each(Object.entries(WRITERS))('the table %s', (table, writer) => {
  it('has one writer', () => {
    expect(filesThatWrite(INSERT, table)).toEqual([`libs/persistence/src/${writer}`]);
  });
});

describe.each(['journal_entry', 'late_evidence'])('the table %s', (table) => {
  it('is only ever appended to', () => {
    expect(writes(`(${CHANGE})`, table).test(`DELETE FROM "${table}" WHERE`)).toBe(true);
    expect(filesThatWrite(CHANGE, table)).toEqual([]);
  });
});
