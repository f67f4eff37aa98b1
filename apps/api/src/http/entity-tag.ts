import { createHash } from 'node:crypto';
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
import { map, type Observable } from 'rxjs';
import { AppError } from '#libs/kernel';
import type { ExpectedVersions, Versioned } from '#libs/persistence';
import { OptionalHeader, Problems, type DescribedHeaders } from './describe-answers.js';
import { InvalidRequestError } from './request-errors.js';
import { singleHeader } from './request-values.js';
import type { DtoWithExample } from './zod-dto.js';

/** Answers the view of a {@link Versioned} one, and its version as `ETag`. */
@Injectable()
class EntityTagInterceptor implements NestInterceptor<Versioned<unknown>, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<Versioned<unknown>>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map(({ view, version }) => {
        void reply.header('ETag', `"${this.tagOf(version, view)}"`);
        return view;
      }),
    );
  }

  protected tagOf(version: number, _view: unknown): string {
    return String(version);
  }
}

/** Its `ETag` names the version and what is answered: 304 is said of both, `If-Match` reads the version alone. */
class LiveEntityTagInterceptor extends EntityTagInterceptor {
  protected override tagOf(version: number, view: unknown): string {
    return `${version}-${hashOfContent(JSON.stringify(view))}`;
  }
}

/** Pure: 22 signs that stand in an entity tag for these bytes. */
export function hashOfContent(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/** The status and body of a success that names its version; the method answers a {@link Versioned} one. */
export function AnswersVersioned(
  status: number,
  type: DtoWithExample,
  description: string,
  headers: DescribedHeaders = {},
): MethodDecorator {
  const tag = { description: 'The version; give it as `If-Match` to change just this one.', schema: TEXT };
  return applyDecorators(
    HttpCode(status),
    UseInterceptors(EntityTagInterceptor),
    ApiResponse({ status, type: type.Output, description, headers: { ...headers, ETag: tag } }),
  );
}

/**
 * The same for what is read and shows more than its version counts, such as how far a worker has come, or names from
 * elsewhere: the version alone would answer 304 where something has changed.
 */
export function AnswersLiveVersioned(type: DtoWithExample, description: string): MethodDecorator {
  const tag = {
    description: 'The version, `-` and a hash of the answer. As `If-Match` only the version counts.',
    schema: TEXT,
  };
  return applyDecorators(
    HttpCode(200),
    UseInterceptors(LiveEntityTagInterceptor),
    ApiResponse({ status: 200, type: type.Output, description, headers: { ETag: tag } }),
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

/** One element of the list with what ends it (RFC 9110, 8.8.3): perhaps weak, in double quotes; perhaps nothing at all. */
const ELEMENT = /[ \t]*(?:(W\/)?"([!#-~\u0080-\u00ff]*)"[ \t]*)?(,|$)/y;
/** What stands behind the dash is of {@link AnswersLiveVersioned}. */
const VERSION = /^([1-9]\d{0,8})(?:-[\w-]{22})?$/;

interface EntityTag {
  readonly isWeak: boolean;
  readonly text: string;
}

/**
 * The versions that an `If-Match` header names; null where any will do: without the header, and for `*`. A weak tag or
 * one that was never ours names none (RFC 9110, 13.1.1). Throws for what is no list of entity tags.
 */
export function parseIfMatch(header: string | undefined): ExpectedVersions {
  if (header === undefined || header.trim() === '*') return null;
  const tags = readTags(header);
  if (tags === null || tags.length === 0) throw notATag();
  const versions = tags.map(({ isWeak, text }) => (isWeak ? null : (VERSION.exec(text)?.[1] ?? null)));
  return versions.filter((version) => version !== null).map(Number);
}

/** The tags of an `If-Match` or `If-None-Match` header; null where it is no list of them. */
export function readTags(header: string): EntityTag[] | null {
  const tags: EntityTag[] = [];
  const element = new RegExp(ELEMENT);
  for (;;) {
    const [, weak, text, end] = element.exec(header) ?? [];
    if (end === undefined) return null;
    if (text !== undefined) tags.push({ isWeak: weak !== undefined, text });
    if (end === '') return tags;
  }
}

function notATag(): InvalidRequestError {
  const detail = 'must be * or the ETag of an earlier answer, in double quotes; several with commas between';
  return new InvalidRequestError([{ header: 'If-Match', detail }]);
}
