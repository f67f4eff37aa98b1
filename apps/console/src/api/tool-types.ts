import type { components } from '../../generated/openapi.js';

type Schemas = components['schemas'];

export type Connection = Schemas['Connection'];
export type Tool = Schemas['Tool'];
export type Effect = Tool['effect'];
export type ToolServer = Schemas['ToolServer'];
export type ToolServerFields = Schemas['ToolServerFields'];
export type ToolServerProbe = Schemas['ToolServerProbe'];
export type ToolServerType = ToolServer['type'];
export type ToolTrial = Schemas['ToolTrial'];
