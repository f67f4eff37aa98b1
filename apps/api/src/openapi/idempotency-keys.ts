import type { OpenAPIObject } from '@nestjs/swagger';
import type { DescribedHeaders } from '../http/describe-answers.js';
import { CHANGES_NOTHING } from '../idempotency/route-keys.js';

const PARAMETER = 'IdempotencyKey';
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    '1 to 255 visible ASCII characters. A repeated request with the same key within 24 hours is not carried out again: it gets the first answer, with `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1 },
} as const;
const REPLAYED_HEADER: DescribedHeaders = {
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored answer of an earlier request with the same `Idempotency-Key`; otherwise absent.',
    schema: { type: 'string' },
  },
};

/** Documents `Idempotency-Key` for every POST that stores answers, with its error answers. */
export function withIdempotencyKeys(document: OpenAPIObject): OpenAPIObject {
  for (const { post } of Object.values(document.paths)) {
    if (post === undefined || CHANGES_NOTHING in post) continue;
    post.parameters = [...(post.parameters ?? []), { $ref: `#/components/parameters/${PARAMETER}` }];
    for (const [status, answer] of Object.entries(post.responses)) {
      if (!status.startsWith('2') || answer === undefined || '$ref' in answer) continue;
      answer.headers = { ...answer.headers, ...REPLAYED_HEADER };
    }
    // `withProblems` fills in the descriptions.
    post.responses = { ...post.responses, '409': { description: '' }, '422': { description: '' } };
  }
  const parameters = { ...document.components?.parameters, [PARAMETER]: IDEMPOTENCY_KEY };
  return { ...document, components: { ...document.components, parameters } };
}
