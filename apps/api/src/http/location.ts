import {
  applyDecorators,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { tap, type Observable } from 'rxjs';
import { Answers, type DescribedHeaders } from './describe-answers.js';
import { AnswersVersioned } from './entity-tag.js';
import type { DtoWithExample } from './zod-dto.js';

export const LOCATION_HEADER: DescribedHeaders = {
  Location: { description: 'Path of the new resource.', schema: { type: 'string' } },
};

/** A new resource, found by its id below its collection. */
interface Made {
  readonly id: string | number;
}

/** Adds `Location` with the path of the new resource. */
class LocationInterceptor implements NestInterceptor<Made, Made> {
  constructor(private readonly collection: string) {}

  intercept(context: ExecutionContext, next: CallHandler<Made>): Observable<Made> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(tap(({ id }) => void reply.header('Location', `${this.collection}${id}/`)));
  }
}

/** Answers 201 or 202 with `Location` below `collection`, a path with a trailing slash. */
export function AnswersMade(
  type: DtoWithExample,
  collection: string,
  description: string,
  status: 201 | 202 = 201,
): MethodDecorator {
  return applyDecorators(
    UseInterceptors(new LocationInterceptor(collection)),
    Answers(status, type, description, LOCATION_HEADER),
  );
}

/** As {@link AnswersMade}, for a method that answers a versioned view. */
export function AnswersMadeVersioned(
  type: DtoWithExample,
  collection: string,
  description: string,
  headers: DescribedHeaders = {},
): MethodDecorator {
  return applyDecorators(
    // Runs outside the interceptor that unwraps the version.
    UseInterceptors(new LocationInterceptor(collection)),
    AnswersVersioned(201, type, description, { ...LOCATION_HEADER, ...headers }),
  );
}
