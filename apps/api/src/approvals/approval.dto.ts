import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';

const decisionSchema = z.strictObject({
  call: z
    .string()
    .regex(/^\d{1,3}\.\d{1,4}$/, 'must be the `call` of a waiting tool call, e.g. "1.0"')
    .describe('Which call, as `required_action.calls` names it.'),
  approved: z.boolean('must be true or false'),
  reason: z.string().max(1_000).default('').describe('Why; the model reads the reason of a refusal.'),
});

export class DecisionsDto extends createZodDto(
  z.strictObject({ decisions: z.array(decisionSchema).min(1).max(100) }),
) {}
