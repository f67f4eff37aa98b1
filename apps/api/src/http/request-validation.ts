import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { isZodDto } from 'nestjs-zod/dto';
import { z } from 'zod';
import { InvalidRequestError, pointerTo, type FieldError } from './request-errors.js';

/** Parses body, query and path with the zod schema of the parameter type; every parameter needs one. */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom') return value;
    if (!isZodDto(metatype)) throw new Error(`the ${type} parameter has no schema`);
    // A missing body counts as empty, so that missing fields are reported by name.
    return parseRequestPart(metatype.schema, value === undefined && type === 'body' ? {} : value, type);
  }
}

type Schema<Parsed> = { parse(value: unknown, options: { error: typeof explainIssue }): Parsed };

/** Parses a part of the request. Throws an `InvalidRequestError` that names every fault. */
export function parseRequestPart<Parsed>(schema: Schema<Parsed>, value: unknown, part: RequestPart): Parsed {
  try {
    return schema.parse(value, { error: explainIssue });
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new InvalidRequestError(error.issues.flatMap((issue) => toFieldErrors(issue, part)));
  }
}

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/** Part of the request that a schema validates. */
export type RequestPart = 'body' | 'query' | 'param';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a JSON object',
  record: 'a JSON object',
  array: 'a list',
};

/** Describes the allowed values where a schema has no message; never quotes the value. */
export function explainIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_key':
      return `its name ${issue.issues[0]?.message ?? 'is not allowed'}`;
    case 'too_small':
      if (issue.minimum === 1 && unitOf(issue.origin) !== '') return 'must not be empty';
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'unrecognized_keys':
      return NOT_KNOWN;
    default:
      return undefined;
  }
}

/** Replaced by a message for the part of the request, unless the schema has its own. */
const NOT_KNOWN = 'is not known';

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

/** Faults of one issue, each with its place in the request. */
export function toFieldErrors(issue: Issue, part: RequestPart): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    const unknown = part === 'body' ? 'is not a known field' : 'is not a known parameter';
    const detail = issue.message === NOT_KNOWN ? unknown : issue.message;
    return issue.keys.map((key) => placed([...issue.path, key], detail, part));
  }
  return [placed(issue.path, issue.message, part)];
}

function placed(path: readonly PropertyKey[], detail: string, part: RequestPart): FieldError {
  if (part === 'body') return { pointer: pointerTo(path), detail };
  return { parameter: path.map(String).join('.'), detail };
}
