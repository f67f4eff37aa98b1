import { describe, expect, it } from '@jest/globals';
import { aTool } from '../../../../test/support/builders/tool.js';
import { ToolCatalogue } from '../tool-catalogue.js';
import type { ToolContext } from '../tool-context.js';
import { listedTools, offerSearched } from './searched-tools.js';

const CONTEXT = {} as ToolContext;
const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, number) => aTool(`${prefix}${number}`));
const catalogueOf = (own: number, ofServers: number) =>
  new ToolCatalogue([...named('own_', own), ...named('mcp__git__t', ofServers)]);

describe('which tools a model is given descriptions of', () => {
  it.each([
    ['all, up to the limit', 3, 7, null],
    ['its own, above it', 3, 8, ['own_0', 'own_1', 'own_2']],
    ['none where it has too many of its own', 9, 2, []],
    ['as many of its own as leave room for searching', 8, 3, named('own_', 8).map(({ name }) => name)],
  ])('%s', (_what, own, ofServers, listed) => {
    expect(listedTools(catalogueOf(own, ofServers), 10)).toEqual(listed);
  });
});

describe('tools that are searched for', () => {
  function offer(tools: ToolCatalogue, rank: (query: string, most: number) => string[], hidden = '') {
    let indexed = 0;
    const found = tools.describe().filter(({ name }) => name !== hidden);
    const offered = offerSearched(tools, ['own_0', hidden], found, () => {
      indexed += 1;
      return { rank, nearest: () => [] };
    });
    const search = async (input: object) =>
      (await offered.catalogue.find('search_tools')?.run(input, CONTEXT))?.result.result as {
        tools: { name: string; parameters: object }[];
        message?: string;
      };
    return { offered, search, timesIndexed: () => indexed };
  }

  it('the model is given its own tools and the two that search and call; all can be called', () => {
    const { offered, timesIndexed } = offer(catalogueOf(1, 3), () => []);
    expect(offered.described.map(({ name }) => name)).toEqual(['own_0', 'search_tools', 'call_tool']);
    expect(offered.catalogue.names()).toHaveLength(6);
    expect(timesIndexed()).toBe(0);
  });

  it('a search gives what was ranked, in that order, with the parameters; the index is made once', async () => {
    const ranked = ['mcp__git__t2', 'own_0', 'gone'];
    const { search, timesIndexed } = offer(catalogueOf(1, 3), (_query, most) => ranked.slice(0, most));
    expect(await search({ query: 'x', limit: null })).toEqual({
      tools: ['mcp__git__t2', 'own_0'].map((name) => ({
        ...{ name, description: `The tool ${name}.` },
        parameters: expect.objectContaining({ type: 'object' }),
      })),
    });
    expect((await search({ query: 'x', limit: 1 })).tools).toHaveLength(1);
    expect(timesIndexed()).toBe(1);
  });

  it('says where nothing fits', async () => {
    const { search } = offer(catalogueOf(1, 3), () => []);
    expect(await search({ query: 'x', limit: 3 })).toEqual({
      ...{ tools: [], message: 'none of the 4 tools fits these words; try others' },
    });
  });

  it('a tool that has changed since the run began is neither listed nor found', async () => {
    const { offered, search } = offer(catalogueOf(1, 3), () => ['own_0', 'mcp__git__t1'], 'own_0');
    expect(offered.described.map(({ name }) => name)).toEqual(['search_tools', 'call_tool']);
    expect((await search({ query: 'x', limit: 3 })).tools.map(({ name }) => name)).toEqual(['mcp__git__t1']);
  });

  it('an answer has room for the largest schema, and as many others as fit whole', async () => {
    const large = (name: string) => ({
      ...aTool(name),
      inputSchema: { type: 'object', description: 'x'.repeat(60_000) },
    });
    const tools = new ToolCatalogue([large('a'), large('b'), aTool('c')]);
    const { search } = offer(tools, () => ['a', 'b', 'c']);
    const answer = await search({ query: 'x', limit: 3 });
    expect(answer.tools.map(({ name }) => name)).toEqual(['a']);
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(131_072);
  });

  it.each([
    [{ query: '', limit: null }],
    [{ query: 'x', limit: 11 }],
    [{ query: 'x', limit: 0 }],
    [{ query: 'x'.repeat(501), limit: 1 }],
    [{ query: 'x', limit: 1, more: true }],
  ])('a search for %j is refused', (input) => {
    const { offered } = offer(catalogueOf(1, 3), () => []);
    expect(offered.catalogue.readerOf('search_tools')?.(input)).toMatchObject({ success: false });
  });

  it('a tool of the run of one of these names is refused by name', () => {
    const tools = new ToolCatalogue([aTool('call_tool'), aTool('look')]);
    expect(() => offer(tools, () => [])).toThrow('two tools are called "call_tool"');
  });
});
