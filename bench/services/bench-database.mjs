// @ts-check
import pg from 'pg';

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

/** Also ends what is still connected to it. @param {string} maintenanceUrl @param {string} name */
export async function dropDatabase(maintenanceUrl, name) {
  await administer(maintenanceUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** @param {string} maintenanceUrl @param {string} name */
export function databaseUrl(maintenanceUrl, name) {
  const url = new URL(maintenanceUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

/** @param {string} url @param {string} sql */
async function administer(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
