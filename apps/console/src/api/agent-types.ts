import type { components } from '../../generated/openapi.js';

type Schemas = components['schemas'];

export type AgentFields = Schemas['AgentFields'];
export type AgentVersion = Schemas['AgentVersion'];
export type AgentWarning = NonNullable<Schemas['WrittenAgent']['warnings']>[number];
export type Llm = Schemas['Llm'];
export type ModelList = Schemas['ModelList'];
export type ModelParameter = Schemas['Model']['parameters'][number];
export type Strategy = Schemas['Strategy'];
export type StrategyParameter = Strategy['parameters'][number];
