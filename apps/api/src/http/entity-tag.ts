import { hash } from 'node:crypto';
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

/** Answers the view of a {@link Versioned} resource, with its version as `ETag`. */
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

/** The tag has the version and a hash of the body: `If-None-Match` compares both, `If-Match` only the version. */
class LiveEntityTagInterceptor extends EntityTagInterceptor {
  protected override tagOf(version: number, view: unknown): string {
    return `${version}-${hashOfContent(JSON.stringify(view))}`;
  }
}

/** Pure: a 22-character hash of the content, for an entity tag. */
export function hashOfContent(content: string): string {
  return hash('sha256', content, 'base64url').slice(0, 22);
}

/** Documents a success with an `ETag`; the method answers a {@link Versioned} view. */
export function AnswersVersioned(
  status: number,
  type: DtoWithExample,
  description: string,
  headers: DescribedHeaders = {},
): MethodDecorator {
  const tag = {
    description: 'Version of the resource; send it as `If-Match` to change only this version.',
    schema: TEXT,
  };
  return applyDecorators(
    HttpCode(status),
    UseInterceptors(EntityTagInterceptor),
    ApiResponse({ status, type: type.Output, description, headers: { ...headers, ETag: tag } }),
  );
}

/**
 * As {@link AnswersVersioned}, for views with data that the version does not count, for example ingestion progress: the
 * version alone would answer 304 after that data has changed.
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

/** Documents `If-Match`; the method must change only a version of {@link ExpectedVersion}. */
export function ChangesIfMatch(): MethodDecorator {
  return applyDecorators(
    OptionalHeader(
      'If-Match',
      'The `ETag` of the version to change, or `*` for any that exists; when omitted, nothing is asked.',
    ),
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
    message: 'the resource has changed since the version of If-Match; read it again',
  });
}

/** One list element with its delimiter (RFC 9110, 8.8.3): an optionally weak quoted tag, or an empty element. */
const ELEMENT = /[ \t]*(?:(W\/)?"([!#-~\u0080-\u00ff]*)"[ \t]*)?(,|$)/y;
/** A version, optionally with `-` and the hash of {@link AnswersLiveVersioned}. */
const VERSION = /^([1-9]\d{0,8})(?:-[\w-]{22})?$/;

interface EntityTag {
  readonly isWeak: boolean;
  readonly text: string;
}

/**
 * The versions that `If-Match` names; null for any, that is without the header or with `*`. A weak or foreign tag matches
 * none (RFC 9110, 13.1.1). Throws for a malformed list of entity tags.
 */
export function parseIfMatch(header: string | undefined): ExpectedVersions {
  if (header === undefined || header.trim() === '*') return null;
  const tags = readTags(header);
  if (tags === null || tags.length === 0) throw notATag();
  const versions = tags.map(({ isWeak, text }) => (isWeak ? null : (VERSION.exec(text)?.[1] ?? null)));
  return versions.filter((version) => version !== null).map(Number);
}

/** The tags of an `If-Match` or `If-None-Match` header; null if it is malformed. */
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

export function notATag(): InvalidRequestError {
  const detail = 'must be * or the ETag of an earlier answer, in double quotes; several with commas between';
  return new InvalidRequestError([{ header: 'If-Match', detail }]);
}
