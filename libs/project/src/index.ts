export { projectDomains } from './project-domains.js';
export { toToolDefinition } from './tool-definition.js';
