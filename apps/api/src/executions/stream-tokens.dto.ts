import { z } from 'zod';
import { createZodDto } from '../http/zod-dto.js';
import { executionExample } from './executions.examples.js';

const MAX_TOKEN_SECONDS = 3_600;
export class NewStreamTokenDto extends createZodDto(
  z.strictObject({
    expires_in_seconds: z
      .int()
      .min(10)
      .max(MAX_TOKEN_SECONDS)
      .default(300)
      .describe('Lifetime of the token in seconds; streams that are open stay open.'),
  }),
  { expires_in_seconds: 300 },
) {}
const STREAM_TOKEN_EXAMPLE = `cst_5f0c1a9be27d4836_1795338300_${'x'.repeat(43)}`;
const streamTokenSchema = z.object({
  token: z.string().nullable().describe('`cst_…`; null with `AUTH=off`.'),
  url: z.string().describe('Path of the events with the token.'),
  expires_at: z.iso.datetime(),
});
export type StreamTokenView = z.infer<typeof streamTokenSchema>;
export class StreamTokenDto extends createZodDto(streamTokenSchema, {
  token: STREAM_TOKEN_EXAMPLE,
  url: `/api/executions/${executionExample('completed').id}/events/?stream_token=${STREAM_TOKEN_EXAMPLE}`,
  expires_at: '2026-11-22T09:05:00.000Z',
}) {}
