export { toDatabase, toManager } from './domains/manager-database.js';
export { toDomain } from './domains/to-domain.js';
export { calledBy, toolsOfPipeline, toPipelineConfig } from './pipeline-config.js';
export { projectDomains } from './project-domains.js';
export { toToolDefinition, type ToolFacilities } from './tool-definition.js';
