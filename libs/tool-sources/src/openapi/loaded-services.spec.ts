import { expect, it } from '@jest/globals';
import { LoadedServices } from './loaded-services.js';

const server = (id: string) => ({
  id,
  version: 1,
  config: {
    document: JSON.stringify({ openapi: '3.1.0', info: { title: id, version: '1' }, paths: {} }),
    ...{ headers_template: {}, query_template: {}, security: {} },
  },
});

it('keeps few descriptions, however short they are; the one that was not asked for longest gives way', () => {
  const services = new LoadedServices(7_000);
  const [first] = ['first', 'second', 'third'].map((id) => services.get(server(id)));
  expect(services.size).toBe(3);
  expect(services.get(server('first'))).toBe(first);
  services.get(server('fourth'));
  expect(services.size).toBe(3);
  expect(services.get(server('first'))).toBe(first);
});
