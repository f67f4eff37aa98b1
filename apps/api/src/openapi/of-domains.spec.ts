import { expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ofDomains } from './of-domains.js';

const refers = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Capstan', version: '1' },
  tags: [{ name: 'agents' }, { name: 'orders' }],
  paths: {
    '/api/agents/': { get: { tags: ['agents'], ...refers('schemas', 'Agent') } },
    '/api/orders/': {
      get: { tags: ['orders'], ...refers('schemas', 'Order'), responses: refers('responses', 'NotFound') },
    },
  },
  components: {
    schemas: { Agent: {}, Order: refers('schemas', 'Line'), Line: {}, Problem: {}, Left: {} },
    responses: { NotFound: refers('schemas', 'Problem') },
    parameters: { Limit: {} },
    securitySchemes: { bearer: {} },
  },
} as unknown as OpenAPIObject;

it('keeps the operations of domains, with all that they refer to', () => {
  const { paths, components, tags } = ofDomains(DOCUMENT, new Set(['orders']));
  expect(Object.keys(paths)).toEqual(['/api/orders/']);
  expect(tags).toEqual([{ name: 'orders' }]);
  expect(Object.keys(components?.schemas ?? {})).toEqual(['Order', 'Line', 'Problem']);
  expect(Object.keys(components ?? {})).toEqual(['schemas', 'responses', 'securitySchemes']);
});

it('has nothing without domains', () => {
  expect(ofDomains(DOCUMENT, new Set())).toMatchObject({ paths: {}, tags: [] });
});
