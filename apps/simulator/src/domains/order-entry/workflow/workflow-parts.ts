import type { JsonObject } from '#libs/kernel';
import { fillSchema } from '../../../json-schema/fill-schema.js';
import type { ResponsesRequest } from '../../../responses/responses-request.js';
import { draftOrder } from './draft-lines.js';
import { extractLines } from './extract-lines.js';
import { reviewDraft } from './review-draft.js';

/** The model's work in each step of the order entry workflow; the schema has the name of the step. */
const PARTS: ReadonlyMap<string, (prompt: string) => JsonObject> = new Map([
  ['extract', extractLines],
  ['draft', draftOrder],
  ['review', reviewDraft],
]);

/** Answers a step that requires JSON; null if this model does not know the step. */
export function answerStep({ body }: Pick<ResponsesRequest, 'body'>, prompt: string): string | null {
  const format = body.text?.format;
  if (format?.type !== 'json_schema') return null;
  const part = PARTS.get(format.name);
  return part === undefined ? null : JSON.stringify(fillSchema(format.schema, part(prompt)));
}
