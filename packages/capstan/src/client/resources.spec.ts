import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Row } from './operations.js';
import * as resources from './resources.js';

interface Operation {
  readonly parameters?: readonly { readonly in?: string }[];
  readonly requestBody?: { readonly content: Record<string, unknown> };
  readonly responses: Record<string, { readonly content?: Record<string, { schema?: { $ref?: string } }> }>;
}

const DOCUMENT = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../openapi.json'), 'utf8')) as {
  readonly paths: Record<string, Record<string, Operation>>;
};
const ROWS = Object.values(resources).flatMap((rows) => Object.values<Row>(rows));
const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ call: `${method} ${path}`, operation })),
);

const isStream = ({ responses }: Operation): boolean =>
  responses['200']?.content?.['text/event-stream'] !== undefined;
const callOf = ({ method, path }: Row): string => `${method} ${path}`;

function kindsOf(operation: Operation): string[] {
  const { parameters = [], requestBody, responses } = operation;
  const hasQuery = parameters.some((parameter) => parameter.in === 'query');
  const media = Object.keys(requestBody?.content ?? {});
  const answer = responses['200']?.content ?? {};
  if ('application/octet-stream' in answer) return ['bytes'];
  if (hasQuery && JSON.stringify(answer).includes('Page')) return ['page'];
  const kinds = [
    ...(media.includes('application/json') || hasQuery ? ['input'] : []),
    ...(media.includes('multipart/form-data') ? ['form'] : []),
  ];
  return kinds.length === 0 ? ['bare'] : kinds;
}

describe('the resources of the client', () => {
  it('have every operation of the API but streams of events, which are followed', () => {
    const wanted = OPERATIONS.filter(({ operation }) => !isStream(operation));
    expect(new Set(ROWS.map(callOf))).toEqual(new Set(wanted.map(({ call }) => call)));
  });

  it.each(ROWS.map((row) => [callOf(row), row] as const))('send with %s what it takes', (call, { kind }) => {
    const operation = OPERATIONS.find((each) => each.call === call)?.operation;
    expect(operation === undefined ? [] : kindsOf(operation)).toContain(kind);
  });
});
