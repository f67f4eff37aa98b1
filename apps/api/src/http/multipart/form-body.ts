import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { singleHeader } from '../request-values.js';

/** OpenAPI extension that holds the form of a route; see `openapi/forms.ts`. */
export const FORM_KEY = 'x-form';

const FORM = /^\s*multipart\/form-data\s*(;|$)/i;

/** Whether the request is a form, judged by its header; its body is still unread. */
export function isForm(request: Pick<FastifyRequest, 'headers'>): boolean {
  return FORM.test(singleHeader(request, 'content-type') ?? '');
}

/** File content in the schema of a form. */
export const fileSchema = z.string().meta({ format: 'binary' });

/** Documents that the route also accepts a form; `schema` describes its parts. */
export function TakesForm<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
): MethodDecorator {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io: 'input' });
  return ApiExtension(FORM_KEY, { schema: described, example });
}
