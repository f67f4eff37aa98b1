import { describe, expect, it } from '@jest/globals';
import { withoutDomains, type OpenapiDocument } from './without-domains.ts';

const refers = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const DOCUMENT: OpenapiDocument = {
  tags: [
    { name: 'agents', description: 'Agents.' },
    { name: 'orders', description: 'Part of the domain `orders`.' },
  ],
  paths: {
    '/api/agents/': { get: { tags: ['agents'], ...refers('AgentPage') } },
    '/api/orders/': { get: { tags: ['orders'], ...refers('Order') } },
  },
  components: {
    schemas: {
      AgentPage: refers('Agent'),
      Agent: refers('Price'),
      Order: refers('Price'),
      Line: {},
      Price: {},
    },
    responses: { NotFound: {} },
  },
};

describe('the document without its domains', () => {
  it('has no route of a domain', () => {
    expect(Object.keys(withoutDomains(DOCUMENT).paths)).toEqual(['/api/agents/']);
  });

  it('has the schemas that the other routes name, also through one another', () => {
    const { schemas = {} } = withoutDomains(DOCUMENT).components;
    expect(Object.keys(schemas)).toEqual(['AgentPage', 'Agent', 'Price']);
  });

  it('keeps everything else', () => {
    expect(withoutDomains(DOCUMENT).components['responses']).toEqual({ NotFound: {} });
  });
});
