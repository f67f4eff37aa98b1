// @ts-check
import { administer, databaseUrl } from '../../scripts/postgres/administer.ts';

/**
 * @param {string} maintenanceUrl
 * @param {string} name a plain identifier
 * @param {string} template
 * @returns {Promise<string>} its URL
 */
export async function createDatabase(maintenanceUrl, name, template) {
  await administer(maintenanceUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return databaseUrl(maintenanceUrl, name);
}

/** Also ends remaining connections. @param {string} maintenanceUrl @param {string} name */
export async function dropDatabase(maintenanceUrl, name) {
  await administer(maintenanceUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}
