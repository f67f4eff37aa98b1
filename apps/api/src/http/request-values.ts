import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { digits, wholeNumber } from '#libs/payloads';

export { idInBodySchema, idSchema, uuidSchema } from '#libs/payloads';

/** The number of an event, 0 for none, in a query or header. */
export const eventNumberSchema = digits(wholeNumber(0));

export const MAX_PAGE = 100;
/** How many rows a page has. */
export const limitSchema = digits(wholeNumber(1, MAX_PAGE));

/** `true` or `false` in a query. */
export const flagSchema = z.enum(['true', 'false']).transform((text) => text === 'true');

/** A request header as one text, joined where it was sent more than once; undefined where it was not. */
export function singleHeader(request: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
