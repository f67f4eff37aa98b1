import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodDto } from 'nestjs-zod';
import { map, type Observable } from 'rxjs';
import { AppError } from '#libs/kernel';
import type { ExpectedVersions, Versioned } from '#libs/persistence';
import { OptionalHeader, Problems } from './describe-answers.js';
import { parseIfMatch } from './if-match.js';
import { singleHeader } from './single-header.js';

/** Answers the view of a {@link Versioned} one, and its version as `ETag`. */
@Injectable()
class EntityTagInterceptor implements NestInterceptor<Versioned<unknown>, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<Versioned<unknown>>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map(({ view, version }) => {
        void reply.header('ETag', `"${version}"`);
        return view;
      }),
    );
  }
}

/** The status and body of a success that names its version; the method answers a {@link Versioned} one. */
export function AnswersVersioned(status: number, type: ZodDto, description: string): MethodDecorator {
  const tag = { description: 'The version; give it as `If-Match` to change just this one.', schema: TEXT };
  return applyDecorators(
    HttpCode(status),
    UseInterceptors(EntityTagInterceptor),
    ApiResponse({ status, type: type.Output, description, headers: { ETag: tag } }),
  );
}

const TEXT = { type: 'string' } as const;

/** The method changes only the versions of {@link ExpectedVersion}. */
export function ChangesIfMatch(): MethodDecorator {
  return applyDecorators(
    OptionalHeader('If-Match', 'The `ETag` of the version to change; any when omitted, or `*`.'),
    Problems(412),
  );
}

/** The versions that `If-Match` names, as a parameter of a controller's method. */
export const ExpectedVersion = createParamDecorator(
  (_data: unknown, context: ExecutionContext): ExpectedVersions =>
    parseIfMatch(singleHeader(context.switchToHttp().getRequest<FastifyRequest>(), 'if-match')),
);

export function otherVersion(): AppError {
  return new AppError({
    code: 'VERSION_CHANGED',
    kind: 'precondition_failed',
    message: 'it was changed since the version that If-Match names; read it again',
  });
}
