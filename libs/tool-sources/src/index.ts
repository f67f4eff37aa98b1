export { AgentTools } from './agents/agent-tools.js';
export {
  agentToolsSchema,
  callableAgents,
  type AgentTool,
  type CallableAgent,
} from './agents/agent-tools.schema.js';
export { BuiltinTools } from './builtin/builtin-tools.js';
export { CombinedToolSource } from './combined-tool-source.js';
export { FileSandbox, type FileSandboxOptions } from './file-sandbox/file-sandbox.js';
export { limitDrivers } from './limits/limit-drivers.js';
export { ServerCalls } from './limits/server-calls.js';
export { McpDriver, type McpDriverOptions } from './mcp/mcp-driver.js';
export { LateSdkConnector } from './mcp/late-sdk-connector.js';
export type { SdkConnectorOptions } from './mcp/sdk-connector.js';
export type { StdioRules } from './mcp/stdio-rules.js';
export { findIsolation } from './mcp/stdio-isolation.js';
export { indexTools } from './search/index-tools.js';
export { isAnswerOfIssuer } from './oauth/check-discovered.js';
export type { ClientTokenShelf, KeptToken, TokenedServer } from './oauth/client-tokens.js';
export type { ConnectionGrant } from './oauth/connection-grant.js';
export type { ConnectionShelf, HeldConnection, ReconnectReason } from './oauth/connection-tokens.js';
export type { CodeConfig, PendingConsent, RegisteredClient } from './oauth/consent.js';
export { readIssued, readScope, type IssuedToken } from './oauth/issued-token.js';
export { askForConsent, exchangeCode, readChallenge, revokeGrant } from './oauth/late-oauth.js';
export { oauthFetch } from './oauth/oauth-fetch.js';
export { authOf, ServerAccess } from './oauth/server-access.js';
export {
  KnowledgeTools,
  SEARCH_KNOWLEDGE,
  type KnowledgeQuery,
  type KnowledgeSearch,
} from './knowledge/knowledge-tools.js';
export { SkillTools, type SkillShelf } from './skills/skill-tools.js';
export { listFolder, type FolderListing } from './workspace/list-folder.js';
export { workspaceTools } from './workspace/workspace-tools.js';
export { BuiltinServerDriver } from './servers/builtin-driver.js';
export { fillCredentials } from './servers/fill-credentials.js';
export { KeptReaders } from './servers/kept-readers.js';
export { offerServerTool } from './servers/offer-server-tool.js';
export { openServer, type ToolServerDrivers } from './servers/open-server.js';
export { ServerSelection, serverSelectionSchema } from './servers/server-selection.schema.js';
export { TenantServers } from './servers/tenant-servers.js';
export type { ToolServerShelf } from './servers/tool-server-shelf.js';
export { compileForeignSchema } from './json-schema/compile-foreign-schema.js';
export type { SandboxRead } from './file-sandbox/read-verified.js';
export { checkDocument, type DocumentCheck } from './openapi/check-document.js';
export { DescriptionReader } from './openapi/apart/description-reader.js';
export { OpenApiDriver } from './openapi/openapi-driver.js';
