import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { singleHeader } from '../request-values.js';

/** Where the document is made of controllers, the form that a route takes; see `openapi/forms.ts`. */
export const FORM_KEY = 'x-form';

const FORM = /^\s*multipart\/form-data\s*(;|$)/i;

/** Whether a form comes, whose bytes nobody has read yet. */
export function isForm(request: Pick<FastifyRequest, 'headers'>): boolean {
  return FORM.test(singleHeader(request, 'content-type') ?? '');
}

/** The bytes of a file in the schema of a form. */
export const fileSchema = z.string().meta({ format: 'binary' });

/** Says in the document that the route takes a form, too; `schema` describes its parts. */
export function TakesForm<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
): MethodDecorator {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io: 'input' });
  return ApiExtension(FORM_KEY, { schema: described, example });
}
