import { describe, expect, it } from '@jest/globals';
import { findMigrationFault, schemaOf, toMigration } from './sql-migrations.js';

const FILE = { name: '1770000000000-create-bug-report.sql', sql: 'CREATE TABLE bug_reports.report ();' };

describe('migrations of a domain', () => {
  it('create its schema, and run the file', async () => {
    const Migration = toMigration('bug-reports', FILE);
    const statements: string[] = [];
    const runner = { query: (sql: string) => Promise.resolve(statements.push(sql)) };
    const migration = new Migration();
    await migration.up(runner as never);
    expect(statements).toEqual(['CREATE SCHEMA IF NOT EXISTS "bug_reports"', FILE.sql]);
    expect([Migration.name, migration.name]).toEqual([
      'BugReportsCreateBugReport1770000000000',
      'BugReportsCreateBugReport1770000000000',
    ]);
    await expect(migration.down(runner as never)).rejects.toThrow('has no way back');
  });

  it('have a checksum of their text, for which line ends do not count', () => {
    const checksumOf = (sql: string) => new (toMigration('bug-reports', { ...FILE, sql }))().source?.checksum;
    expect(checksumOf('SELECT 1;\r\nSELECT 2;')).toBe(checksumOf('SELECT 1;\nSELECT 2;'));
    expect(checksumOf('SELECT 1;')).not.toBe(checksumOf('SELECT 1; '));
  });

  it('name the file that PostgreSQL refuses', async () => {
    const runner = {
      query: (sql: string) =>
        sql === FILE.sql ? Promise.reject(new Error('syntax error at or near "TABEL"')) : Promise.resolve([]),
    };
    await expect(new (toMigration('bug-reports', FILE))().up(runner as never)).rejects.toThrow(
      `domains/bug-reports/migrations/${FILE.name}: syntax error at or near "TABEL"`,
    );
  });

  it.each([
    [['create.sql'], 'the migration "create.sql" must be named by 13 digits'],
    [['1770000000000-Create.sql'], 'must be named by 13 digits'],
    [[FILE.name, '1770000000000-other.sql'], 'two migrations begin with 1770000000000'],
  ])('are refused if they are named %j', (names, fault) => {
    expect(findMigrationFault(names.map((name) => ({ name, sql: '' })))).toContain(fault);
  });

  it('are accepted in order', () => {
    expect(findMigrationFault([FILE, { ...FILE, name: '1770000000001-b.sql' }])).toBeNull();
    expect(schemaOf('bug-reports')).toBe('bug_reports');
  });
});
