import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { digits, wholeNumber } from '#libs/payloads';

export { idInBodySchema, idSchema, uuidSchema } from '#libs/payloads';

/** Number of an event in a query or header; 0 for none. */
export const eventNumberSchema = digits(wholeNumber(0));

export const MAX_PAGE = 100;
/** Number of rows of a page. */
export const limitSchema = digits(wholeNumber(1, MAX_PAGE));

/** `true` or `false` in a query. */
export const flagSchema = z.enum(['true', 'false']).transform((text) => text === 'true');

/** A request header as one text, joined if it was sent repeatedly; undefined if missing. */
export function singleHeader(request: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
