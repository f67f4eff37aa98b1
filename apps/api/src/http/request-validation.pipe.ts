import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { isZodDto } from 'nestjs-zod/dto';
import { z } from 'zod';
import { explainIssue, toFieldErrors, type RequestPart } from './describe-issue.js';
import { InvalidRequestError } from './invalid-request.error.js';

/** Parses body, query and path with the zod schema of the parameter's type; every parameter has to have one. */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom') return value;
    if (!isZodDto(metatype)) throw new Error(`the ${type} parameter has no schema`);
    // No body at all is an empty one: what is missing is then said by field.
    return parseRequestPart(metatype.schema, value === undefined && type === 'body' ? {} : value, type);
  }
}

type Schema = { parse(value: unknown, options: { error: typeof explainIssue }): unknown };

function parseRequestPart(schema: Schema, value: unknown, part: RequestPart): unknown {
  try {
    return schema.parse(value, { error: explainIssue });
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new InvalidRequestError(error.issues.flatMap((issue) => toFieldErrors(issue, part)));
  }
}
