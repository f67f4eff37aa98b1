import type { JsonObject } from '#libs/kernel';
import { fillSchema } from '../../../json-schema/fill-schema.js';
import type { ResponsesRequest } from '../../../responses/responses-request.js';
import { draftOrder } from './draft-lines.js';
import { extractLines } from './extract-lines.js';
import { reviewDraft } from './review-draft.js';

/** What the model does in a step of the order entry workflow, by the name of the step, which its schema has too. */
const PARTS: ReadonlyMap<string, (prompt: string) => JsonObject> = new Map([
  ['extract', extractLines],
  ['draft', draftOrder],
  ['review', reviewDraft],
]);

/** The answer to a step that asks for JSON; null where it is none that this model knows. */
export function answerStep({ body }: Pick<ResponsesRequest, 'body'>, prompt: string): string | null {
  const format = body.text?.format;
  if (format?.type !== 'json_schema') return null;
  const part = PARTS.get(format.name);
  return part === undefined ? null : JSON.stringify(fillSchema(format.schema, part(prompt)));
}
