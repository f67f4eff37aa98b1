import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The body is compressed, which no route unpacks; answered 415 (RFC 9110, 15.5.16). */
export class EncodedBodyException extends UnsupportedMediaTypeException {}

/** The fault of a body that comes with a `Content-Encoding` other than `identity`; null if there is none. */
export function findEncoding({ headers }: Pick<FastifyRequest, 'headers'>): EncodedBodyException | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return ['', 'identity'].includes(encoding) ? null : new EncodedBodyException();
}
