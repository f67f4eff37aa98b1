import { AppError } from '#libs/kernel';
import { z } from 'zod';
import type { ToolDefinition } from './tool-definition.js';

const boundsSchema = z.object({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
  inputSchema: z.looseObject({ type: z.literal('object', 'must be "object": arguments are one') }),
  timeoutMs: z.int('must be a whole number').min(1, 'must be at least 1'),
  maxOutputBytes: z
    .int('must be a whole number')
    .min(1_024, 'must be at least 1024')
    .max(1_048_576, 'must be at most 1048576')
    .optional(),
  parameterOptions: z
    .record(z.string(), z.array(z.string()).min(1, 'must name at least one option'))
    .optional(),
});

/** Rejects an invalid tool definition before it is called. Throws an `AppError` that names the tool and the field. */
export function checkToolDefinition(tool: ToolDefinition): void {
  const issue = boundsSchema.safeParse(tool).error?.issues[0];
  if (!issue) return;
  throw new AppError({
    code: 'TOOL_DEFINITION_INVALID',
    kind: 'internal',
    message: `the tool "${tool.name}" is not usable: ${issue.path.join('.')} ${issue.message}`,
  });
}
