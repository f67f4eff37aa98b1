import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { toolsOfPipeline } from '#libs/project';
import { ToolCatalogue } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { orderEntry } from '../../../../examples/order-entry/capstan/domains/order-entry/index.ts';
import { DOMAIN } from '../order-entry-database.js';

const TOOLS = join(import.meta.dirname, '../../../../examples/order-entry/capstan/domains/order-entry/tools');

describe('the tools of order entry', () => {
  const catalogue = new ToolCatalogue(DOMAIN.tools({ manager: {} as EntityManager }));

  it('have strict schemas, so that a model can be held to them (S2-10)', () => {
    const described = catalogue.describe();
    expect(described.map(({ name, strict }) => [name, strict])).toEqual([
      ['search_items', true],
      ['search_customers', true],
      ['save_order_draft', true],
      ['get_order_request', true],
      ['save_reviewed_order_draft', true],
      // A page is any JSON, read by a pipeline step; models do not call this tool.
      ['read_page', false],
    ]);
  });

  it('say what repeating a call would do', () => {
    const effects = catalogue.names().map((name) => catalogue.find(name)?.effect);
    expect(effects).toEqual(['read', 'read', 'idempotent', 'read', 'idempotent', 'read']);
  });

  it.each([
    [{ query: 'tomato', limit: 0 }, false],
    [{ query: 'tomato', limit: 1 }, true],
    [{ query: 'tomato', limit: 20 }, true],
    [{ query: 'tomato', limit: 21 }, false],
    [{ query: 'tomato', limit: 1.5 }, false],
    [{ query: 'tomato', limit: null }, true],
    [{ query: 'tomato' }, false],
    [{ query: '', limit: null }, false],
  ])('search with %j: %s', (input, isValid) => {
    expect(catalogue.readerOf('search_items')?.(input).success).toBe(isValid);
  });

  it.each([
    [{ order_request_id: 1 }, true],
    [{ order_request_id: 0 }, false],
    [{ order_request_id: 2 ** 31 }, false],
    [{ order_request_id: '1' }, false],
  ])('get an order request with %j: %s', (input, isValid) => {
    expect(catalogue.readerOf('get_order_request')?.(input).success).toBe(isValid);
  });

  it('define no table and no route, and decide nothing of HTTP (S2-39)', () => {
    const files = readdirSync(TOOLS).filter((name) => name.endsWith('.tool.ts'));
    const texts = files.map((name) => readFileSync(join(TOOLS, name), 'utf8'));
    expect(files.length).toBeGreaterThanOrEqual(catalogue.names().length);
    const others =
      /@Entity|@Column|EntitySchema|@Controller|DomainRoute|DomainList|@nestjs|from '\.\.\/routes/;
    expect(files.filter((_name, index) => others.test(texts[index] ?? ''))).toEqual([]);
  });

  it('are all used by its agents, and none of them is a tool of a model twice over (S2-1)', () => {
    const agents = [
      ...(orderEntry.agents ?? []).map(({ tools = [] }) => ({ tools: tools.map(({ name }) => name) })),
      ...(orderEntry.pipelines ?? []).map((flow) => ({
        tools: toolsOfPipeline(flow).map(({ name }) => name),
      })),
    ];
    expect(new Set(agents.flatMap(({ tools }) => tools))).toEqual(new Set(catalogue.names()));
    const saving = agents.filter(({ tools }) => tools.filter((name) => name.startsWith('save_')).length > 1);
    expect(saving).toEqual([]);
  });
});
