import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { cleanupOpenApiDoc } from 'nestjs-zod';
import { z } from 'zod';
import { RELEASE } from '#libs/config';
import { webhookBodySchema, webhookTestBodySchema } from '#libs/payloads';
import { CITATIONS_KEY } from '#libs/tooling';
import { domains } from '../domains.js';
import { createZodDto } from '../http/zod-dto.js';
import { problemSchema } from '../http/problem.js';
import { withConditionalReads } from './conditional-reads.js';
import { withDocumentEvents } from './describe-document-events.js';
import { withListEvents } from './describe-list-events.js';
import { withEvents } from './describe-events.js';
import { describeWebhooks } from './describe-webhooks.js';
import { withExamples } from './with-examples.js';
import { withForms } from './forms.js';
import { withIdempotencyKeys } from './idempotency-keys.js';
import { withNamedRows } from './named-rows.js';
import { withEqualNullables } from './nullables.js';
import { withProblems } from './problem-responses.js';
import { withLastSlashes, withPublicNames } from './public-names.js';
import { withTags } from './tags.js';

class ProblemDto extends createZodDto(problemSchema) {}
class WebhookBodyDto extends createZodDto(webhookBodySchema) {}
class WebhookTestBodyDto extends createZodDto(webhookTestBodySchema) {}

const description = `Submit work to agents, follow it, and read its results.

Every error is \`application/problem+json\` (RFC 9457); \`code\` is for programs, and listed in docs/reference/errors.md. Every path is also
accepted without its last slash. Lists come in pages: give \`next_cursor\` of a page as \`cursor\` to get the next one.`;

/** The OpenAPI document, built from controllers and schemas. */
export function buildOpenApiDocument(app: INestApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Capstan')
    .setDescription(description)
    .setVersion(RELEASE)
    .addServer('/', 'Origin of this document.')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'csk_<id>_<secret>',
      description: 'An API key. Not needed with AUTH=off.',
    })
    .addSecurityRequirements('bearer')
    .build();
  base.info.license = { name: 'Apache 2.0', identifier: 'Apache-2.0' } as NonNullable<
    typeof base.info.license
  >;
  const document = SwaggerModule.createDocument(app, base, {
    extraModels: [ProblemDto.Output, WebhookBodyDto.Output, WebhookTestBodyDto.Output],
  });
  const steps = [
    ...[cleanupOpenApiDoc, withLastSlashes, withConditionalReads, withIdempotencyKeys, withProblems],
    withPublicNames,
    ...[withDataOfDomains, withExamples, withForms, withEvents, withDocumentEvents, withListEvents],
    ...[withEqualNullables, withNamedRows, withTags],
  ];
  return { ...steps.reduce((made, step) => step(made), document), webhooks: describeWebhooks() };
}

/** Message data may have any keys; the schemas of domains and service are stated once, in a shared component. */
function withDataOfDomains(document: OpenAPIObject): OpenAPIObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(domains.messageData.stored);
  const schemas = document.components?.schemas ?? {};
  if (schemas['AdditionalData'] === undefined) throw new Error('nothing refers to the data of messages');
  const citations = { type: 'array', items: { $ref: '#/components/schemas/Citation' } };
  const properties = { ...schema.properties, [CITATIONS_KEY]: citations };
  Object.assign(schemas, { AdditionalData: { ...schema, properties } });
  return document;
}
