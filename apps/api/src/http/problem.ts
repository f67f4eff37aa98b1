import { z } from 'zod';
import { ERROR_CATALOGUE, problemCodesOf } from '#libs/kernel';
import { domains } from '../domains.js';
import { MAX_FIELD_ERRORS } from './request-errors.js';

const detail = z.string();
const fieldErrorSchema = z.union([
  z.object({ pointer: z.string().describe('JSON pointer into the body, e.g. `#/input`.'), detail }),
  z.object({ parameter: z.string().describe('Name of a path or query parameter.'), detail }),
  z.object({ header: z.string(), detail }),
]);

/** Body of every error: `application/problem+json` (RFC 9457). */
export const problemSchema = z.object({
  type: z.string().describe('Always `about:blank`; `code` distinguishes problems.'),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('Description of the fault, for people.'),
  code: z.string().meta({
    enum: [...problemCodesOf(ERROR_CATALOGUE), ...problemCodesOf(domains.errors)],
    description: 'Stable code of the fault, for programs; see docs/reference/errors.md.',
  }),
  request_id: z.string().describe('Id of the request, also in the header `X-Request-Id` and in the log.'),
  errors: z
    .array(fieldErrorSchema)
    .max(MAX_FIELD_ERRORS)
    .optional()
    .describe('The first faults of a request that is not valid.'),
  execution_id: z.uuid().optional().describe('The execution that was waited for and has failed.'),
});
export type Problem = z.infer<typeof problemSchema>;
