import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The key that this environment seals secrets with: made once and kept beside its data, readable by its owner only.
 * @param {string} root
 * @returns {string} as ENCRYPTION_KEY takes it
 */
export function localEncryptionKey(root) {
  const folder = join(root, '.local');
  const file = join(folder, 'encryption-key');
  mkdirSync(folder, { recursive: true });
  try {
    const key = `local:${randomBytes(32).toString('base64')}`;
    // Fails where the file is there: another command may have made it in the same moment.
    writeFileSync(file, `${key}\n`, { flag: 'wx', mode: 0o600 });
    return key;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8').trim();
  }
}
