import { createZodDto } from '../http/zod-dto.js';
import { z } from 'zod';
import { pageQuerySchema, pageSchema } from '../http/page.js';
import { idSchema } from '../http/request-values.js';
import { agentSchema } from './agent.dto.js';

/** An agent as one change left it. */
const agentVersionSchema = agentSchema.extend({
  version: z.int().describe('1 when the agent was made, one more with every change; what its `ETag` holds.'),
  created_at: z.iso.datetime().describe('When the agent became this.'),
});
export class AgentVersionDto extends createZodDto(agentVersionSchema) {}
export class AgentVersionPageDto extends createZodDto(pageSchema(agentVersionSchema)) {}

export class AgentVersionParams extends createZodDto(z.object({ id: idSchema, version: idSchema })) {}
export class AgentVersionListQuery extends createZodDto(pageQuerySchema(idSchema)) {}
