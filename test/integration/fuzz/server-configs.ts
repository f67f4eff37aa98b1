const SERVER_URL = 'https://crm.example.com/mcp';
const SERVER_DOCUMENT = JSON.stringify({
  ...{ openapi: '3.1.0', info: { title: 'CRM', version: '1' }, servers: [{ url: SERVER_URL }] },
  paths: { '/customers': { get: { operationId: 'find', responses: { 200: { description: 'Found.' } } } } },
});
/** Whose authorization server may be written, and not be gone to: no user ever gets further than to begin. */
export const CONNECTABLE = {
  url: SERVER_URL,
  auth: {
    ...{ type: 'oauth', grant: 'authorization_code', issuer: 'http://127.0.0.1:8443' },
    ...{ redirect_uri: 'https://app.example.com/connected', client_auth: 'none', client_id: 'us' },
  },
};
/** One of each type at least: `type` is drawn by itself, so that some pairs do not fit. */
export const SERVER_CONFIGS = [
  { url: SERVER_URL },
  { url: SERVER_URL, headers_template: { Authorization: 'Bearer ${crm}', 'X-Team': 'sealed' } },
  { command: 'node', args: ['crm.js'], env_template: { TOKEN: '${crm}', MODE: 'sealed' } },
  { document: SERVER_DOCUMENT, query_template: { key: '${crm}' } },
  CONNECTABLE,
  {},
];
