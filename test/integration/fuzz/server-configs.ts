const SERVER_URL = 'https://crm.example.com/mcp';
const SERVER_DOCUMENT = JSON.stringify({
  ...{ openapi: '3.1.0', info: { title: 'CRM', version: '1' }, servers: [{ url: SERVER_URL }] },
  paths: { '/customers': { get: { operationId: 'find', responses: { 200: { description: 'Found.' } } } } },
});
/** The API accepts the issuer's address and the worker must not call it, so a connection begins and never completes. */
export const CONNECTABLE = {
  url: SERVER_URL,
  auth: {
    ...{ type: 'oauth', grant: 'authorization_code', issuer: 'http://127.0.0.1:8443' },
    ...{ redirect_uri: 'https://app.example.com/connected', client_auth: 'none', client_id: 'us' },
  },
};
/** At least one config for each type of server; `type` is drawn independently, so that some pairs do not match. */
export const SERVER_CONFIGS = [
  { url: SERVER_URL },
  { url: SERVER_URL, headers_template: { Authorization: 'Bearer ${crm}', 'X-Team': 'sealed' } },
  { command: 'node', args: ['crm.js'], env_template: { TOKEN: '${crm}', MODE: 'sealed' } },
  { document: SERVER_DOCUMENT, query_template: { key: '${crm}' } },
  CONNECTABLE,
  {},
];
