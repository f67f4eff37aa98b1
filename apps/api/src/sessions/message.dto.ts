import { createZodDto } from '../http/zod-dto.js';
import { z } from 'zod';
import { additionalDataSchema } from '#libs/payloads';
import { pageQuerySchema, pageSchema } from '../http/page.js';
import { idSchema, uuidSchema } from '../http/request-values.js';

const messageSchema = z.object({
  id: z.int(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  data: additionalDataSchema,
  truncated: z
    .literal(true)
    .optional()
    .describe('Only where there was more of the text than is kept: `content` is its beginning.'),
  execution_id: z.uuid().nullable(),
  turn_number: z.int(),
  created_at: z.iso.datetime(),
});
export class MessagePageDto extends createZodDto(pageSchema(messageSchema)) {}

export class SessionParams extends createZodDto(z.object({ uuid: uuidSchema })) {}
export class AgentSessionParams extends createZodDto(z.object({ id: idSchema, uuid: uuidSchema })) {}
export class MessageListQuery extends createZodDto(pageQuerySchema(idSchema)) {}
