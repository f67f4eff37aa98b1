import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const SCRIPTS = join(import.meta.dirname, '..');

describe('a command in a folder that cannot be written to', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'capstan-read-only-'));
    cpSync(SCRIPTS, join(root, 'scripts'), { recursive: true });
    // Works for every account, including root: a file cannot become a folder.
    writeFileSync(join(root, '.local'), '');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('says so, and what to do, before it installs anything', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/quickstart.mjs', '--once'], {
      cwd: root,
      encoding: 'utf8',
    });

    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^Nothing can be written to .* \(E\w+\): .* cp -R .* ~\/capstan$/u),
    ]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  });
});
