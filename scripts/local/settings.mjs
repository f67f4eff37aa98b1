import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/**
 * What the user has set: the variables of the process win over those of the file `.env`; an empty one counts as not
 * set.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} processEnv
 * @returns {Record<string, string>}
 */
export function readSettings(root, processEnv) {
  const file = join(root, '.env');
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  /** @type {Record<string, string>} */
  const settings = {};
  for (const [name, value] of Object.entries({ ...fromFile, ...withoutEmpty(processEnv) })) {
    if (value !== undefined && value !== '') settings[name] = value;
  }
  return settings;
}

/** @param {NodeJS.ProcessEnv} variables */
function withoutEmpty(variables) {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
}
