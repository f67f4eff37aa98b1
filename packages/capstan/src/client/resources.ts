import { act, download, get, list, patch, post, put, query, remove, removeBy, upload } from './operations.js';

/** Every operation of the API, by resource; types and arguments follow from the path. */

export const AGENTS = {
  list: list('/api/agents/'),
  create: post('/api/agents/'),
  get: get('/api/agents/{id}/'),
  replace: put('/api/agents/{id}/'),
  update: patch('/api/agents/{id}/'),
  /** Creates or replaces the agent of this name. */
  apply: put('/api/agents/by-name/{name}/'),
  /** Makes an agent inactive; its executions and versions stay. */
  deactivate: remove('/api/agents/{id}/'),
  listVersions: list('/api/agents/{id}/versions/'),
  getVersion: get('/api/agents/{id}/versions/{version}/'),
  /** Composes the system prompt of an agent that need not be saved. */
  previewPrompt: post('/api/agents/prompt-preview/'),
  restoreVersion: act('/api/agents/{id}/versions/{version}/restore/'),
  listSessionMessages: list('/api/agents/{id}/sessions/{uuid}/messages/'),
  listStrategies: get('/api/strategies/'),
};

export const EXECUTIONS = {
  /** Accepts work for an agent: answers at once, or with the result under the header `Prefer: wait=N`. */
  submit: post('/api/agents/{id}/execute/'),
  list: list('/api/executions/'),
  get: get('/api/executions/{id}/'),
  listSteps: list('/api/executions/{id}/steps/'),
  listTimeline: list('/api/executions/{id}/timeline/'),
  getWorkingMemory: get('/api/executions/{id}/working-memory/'),
  cancel: act('/api/executions/{id}/cancel/'),
  retry: post('/api/executions/{id}/retry/'),
  /** Decides over tool calls that wait for a person, one by one. */
  decide: post('/api/executions/{id}/approvals/'),
  /** A token with which a browser follows this one execution. */
  createStreamToken: post('/api/executions/{id}/stream-tokens/'),
};

export const SESSIONS = {
  list: list('/api/sessions/'),
  get: get('/api/sessions/{uuid}/'),
  /** Changes the title or the metadata. */
  update: patch('/api/sessions/{uuid}/'),
  delete: remove('/api/sessions/{uuid}/'),
  getSummary: get('/api/sessions/{uuid}/summary/'),
  listMessages: list('/api/sessions/{uuid}/messages/'),
  listLog: list('/api/sessions/{uuid}/log/'),
  archive: act('/api/sessions/{uuid}/archive/'),
  unarchive: act('/api/sessions/{uuid}/unarchive/'),
  reset: act('/api/sessions/{uuid}/reset/'),
  listFiles: list('/api/sessions/{uuid}/files/'),
  downloadFile: download('/api/sessions/{uuid}/files/{path}/'),
  putFile: upload('put', '/api/sessions/{uuid}/files/{path}/'),
  deleteFile: remove('/api/sessions/{uuid}/files/{path}/'),
};

export const SKILLS = {
  list: list('/api/skills/'),
  create: post('/api/skills/'),
  get: get('/api/skills/{id}/'),
  replace: put('/api/skills/{id}/'),
  update: patch('/api/skills/{id}/'),
  /** Creates or replaces the skill of this name. */
  apply: put('/api/skills/by-name/{name}/'),
  delete: remove('/api/skills/{id}/'),
};

export const MEMORIES = {
  list: list('/api/memories/'),
  create: post('/api/memories/'),
  get: get('/api/memories/{id}/'),
  update: patch('/api/memories/{id}/'),
  delete: remove('/api/memories/{id}/'),
  /** Deletes everything that is remembered of an executor. */
  forgetExecutor: removeBy('/api/memories/'),
};

export const DATASOURCES = {
  list: list('/api/datasources/'),
  create: post('/api/datasources/'),
  get: get('/api/datasources/{id}/'),
  replace: put('/api/datasources/{id}/'),
  update: patch('/api/datasources/{id}/'),
  /** Creates or replaces the datasource of this name. */
  apply: put('/api/datasources/by-name/{name}/'),
  delete: remove('/api/datasources/{id}/'),
  search: post('/api/datasources/{id}/search/'),
};

export const DOCUMENTS = {
  list: list('/api/documents/'),
  /** Gives a text or a URL. */
  create: post('/api/documents/'),
  /** Gives a file. */
  upload: upload('post', '/api/documents/'),
  get: get('/api/documents/{id}/'),
  delete: remove('/api/documents/{id}/'),
  download: download('/api/documents/{id}/content/'),
  replaceContent: put('/api/documents/{id}/content/'),
  uploadContent: upload('put', '/api/documents/{id}/content/'),
  listChunks: list('/api/documents/{id}/chunks/'),
};

export const FILES = {
  list: list('/api/files/'),
  upload: upload('post', '/api/files/'),
  get: get('/api/files/{id}/'),
  delete: remove('/api/files/{id}/'),
  download: download('/api/files/{id}/content/'),
};

export const LLMS = {
  list: list('/api/llms/'),
  create: post('/api/llms/'),
  get: get('/api/llms/{id}/'),
  replace: put('/api/llms/{id}/'),
  update: patch('/api/llms/{id}/'),
  /** Creates or replaces the model configuration of this name. */
  apply: put('/api/llms/by-name/{name}/'),
  delete: remove('/api/llms/{id}/'),
  validate: act('/api/llms/{id}/validate/'),
  listModels: get('/api/models/'),
};

export const WEBHOOK_ENDPOINTS = {
  list: list('/api/webhook-endpoints/'),
  create: post('/api/webhook-endpoints/'),
  apply: put('/api/webhook-endpoints/by-name/{name}/'),
  get: get('/api/webhook-endpoints/{id}/'),
  update: patch('/api/webhook-endpoints/{id}/'),
  delete: remove('/api/webhook-endpoints/{id}/'),
  rotateSecret: act('/api/webhook-endpoints/{id}/rotate-secret/'),
  /** Queues a test event; answers its delivery. */
  test: act('/api/webhook-endpoints/{id}/test/'),
};

export const WEBHOOK_DELIVERIES = {
  list: list('/api/webhook-deliveries/'),
  get: get('/api/webhook-deliveries/{id}/'),
  redeliver: act('/api/webhook-deliveries/{id}/redeliver/'),
};

export const WEBHOOK_SIGNING_SECRET = {
  rotate: act('/api/webhook-signing-secret/rotate/'),
};

export const TOOL_SERVERS = {
  list: list('/api/mcp-servers/'),
  create: post('/api/mcp-servers/'),
  get: get('/api/mcp-servers/{id}/'),
  replace: put('/api/mcp-servers/{id}/'),
  update: patch('/api/mcp-servers/{id}/'),
  /** Creates or replaces the tool server of this name. */
  apply: put('/api/mcp-servers/by-name/{name}/'),
  delete: remove('/api/mcp-servers/{id}/'),
  probe: post('/api/mcp-servers/{id}/probe/'),
};

export const CONNECTIONS = {
  list: list('/api/connections/'),
  create: post('/api/connections/'),
  complete: post('/api/connections/callback/'),
  get: get('/api/connections/{id}/'),
  delete: remove('/api/connections/{id}/'),
  revoke: act('/api/connections/{id}/revoke/'),
};

export const TOOLS = {
  list: list('/api/tools/'),
  try: post('/api/tools/{name}/try/'),
};

export const MANAGED_RESOURCES = {
  list: list('/api/managed-resources/'),
};

export const USAGE = {
  list: list('/api/usage/'),
};

export const OVERVIEW = {
  get: query('/api/overview/'),
};

export const WORKERS = {
  list: list('/api/workers/'),
};

export const TENANTS = {
  list: list('/api/tenants/'),
  create: post('/api/tenants/'),
  get: get('/api/tenants/{id}/'),
  update: patch('/api/tenants/{id}/'),
};

export const API_KEYS = {
  list: list('/api/api-keys/'),
  create: post('/api/api-keys/'),
  get: get('/api/api-keys/{id}/'),
  rotate: post('/api/api-keys/{id}/rotate/'),
  revoke: act('/api/api-keys/{id}/revoke/'),
};

export const CONSOLE_SESSIONS = {
  list: list('/api/console-sessions/'),
  create: post('/api/console-sessions/'),
  delete: remove('/api/console-sessions/{id}/'),
  deleteCurrent: remove('/api/console-sessions/current/'),
  /** Tenant and scopes of the key that asks. */
  getCaller: get('/api/console-sessions/current/'),
};

export const HEALTH = {
  getLiveness: get('/healthz'),
  getReadiness: get('/readyz'),
};
