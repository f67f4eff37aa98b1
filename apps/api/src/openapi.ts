import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { cleanupOpenApiDoc } from 'nestjs-zod';
import { z } from 'zod';
import { domains } from './domains.js';
import { createZodDto } from './http/zod-dto.js';
import { WEBHOOK_EVENT_TYPES, webhookBodySchema } from '#libs/payloads';
import { problemAnswer, type ProblemStatus } from './http/describe-answers.js';
import { problemSchema } from './http/problem.js';

class ProblemDto extends createZodDto(problemSchema) {}
class WebhookBodyDto extends createZodDto(webhookBodySchema) {}

const description = `Submit work to agents, follow it, and read what became of it.

Every error is \`application/problem+json\` (RFC 9457). Every path is also accepted without its last slash.`;

/** The document of everything the API answers, from its controllers and schemas. */
export function buildOpenApiDocument(app: INestApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Capstan')
    .setDescription(description)
    .setVersion('0.1.0')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'csk_<id>_<secret>',
      description: 'An API key. Not needed where AUTH=off.',
    })
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, base, {
    extraModels: [ProblemDto.Output, WebhookBodyDto.Output],
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  return {
    ...withDataOfDomains(withPublicNames(withLastSlashes(withServerProblems(cleanupOpenApiDoc(document))))),
    webhooks: describeWebhooks(),
  };
}

/** The data of messages is of any keys below the API; what the domains declare is said once, where everything refers to. */
function withDataOfDomains(document: OpenAPIObject): OpenAPIObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(domains.messageData.stored);
  const schemas = document.components?.schemas ?? {};
  if (schemas['AdditionalData'] === undefined) throw new Error('nothing refers to the data of messages');
  Object.assign(schemas, { AdditionalData: schema });
  return document;
}

/** What receivers are sent: one request per event, all of one shape. */
function describeWebhooks(): NonNullable<OpenAPIObject['webhooks']> {
  const schema = { $ref: '#/components/schemas/WebhookBody' };
  return Object.fromEntries(
    WEBHOOK_EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: type,
          summary: `Sends ${type}, signed as Standard Webhooks ask; see docs/webhooks.md`,
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { '2XX': { description: 'Taken; everything else is tried again.' } },
        },
      },
    ]),
  );
}

/** With what the server answers before a route is reached: any request may bring a body, and an id may be of any length. */
function withServerProblems(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const answers = item[method]?.responses ?? {};
      const statuses: ProblemStatus[] = method === 'get' ? [] : [400, 413, 415];
      if (path.includes('{')) statuses.push(414);
      for (const status of statuses) answers[status] ??= problemAnswer(status);
    }
  }
  return document;
}

/** Nest cuts the last slash off its routes; the contract has it (S3-17). */
function withLastSlashes(document: OpenAPIObject): OpenAPIObject {
  const paths = renameKeys(document.paths, (path) => (path.startsWith('/api/') ? `${path}/` : path));
  return { ...document, paths };
}

/** Schemas without the endings that distinguish our classes: clients generate their own names from them. */
function withPublicNames(document: OpenAPIObject): OpenAPIObject {
  const schemas = renameKeys(document.components?.schemas ?? {}, publicName);
  const text = JSON.stringify({ ...document, components: { ...document.components, schemas } });
  const reference = /"#\/components\/schemas\/(\w+)"/g;
  return JSON.parse(
    text.replaceAll(reference, (_all, name: string) => `"#/components/schemas/${publicName(name)}"`),
  ) as OpenAPIObject;
}

function publicName(name: string): string {
  return name.replace(/(Dto)?(_Output)?$/, '');
}

function renameKeys<Value>(
  record: Readonly<Record<string, Value>>,
  rename: (key: string) => string,
): Record<string, Value> {
  const entries = Object.entries(record).map(([key, value]): [string, Value] => [rename(key), value]);
  const renamed = Object.fromEntries<Value>(entries);
  if (Object.keys(renamed).length !== entries.length)
    throw new Error('two schemas or paths have one public name');
  return renamed;
}
