import { describe, expect, it } from '@jest/globals';
import type { PromptTool } from '#libs/tooling';
import { indexTools } from './index-tools.js';

const tool = (name: string, description: string, parameters: readonly string[] = []): PromptTool => ({
  ...{ name, description, strict: false },
  parameters: {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter, {}])),
  },
});
const TOOLS = [
  tool('mcp__git__issuesList', 'List repository issues.', ['owner', 'repo', 'labels']),
  tool('mcp__git__issuesCreate', 'Create an issue.', ['owner', 'repo', 'title']),
  tool('mcp__git__pulls_merge', 'Merge a pull request.', ['owner', 'repo', 'pull_number']),
  tool('mcp__mail__send', 'Sends a message to somebody. It is not for issues.', ['to', 'subject']),
  tool('read_skill', 'Gives the instructions of one of the skills.', ['name']),
  tool('größe_ändern', 'Ändert die Größe.', ['größe']),
];
const index = indexTools(TOOLS);

describe('a search for tools', () => {
  it.each([
    ['create issue', 'mcp__git__issuesCreate'],
    ['merge pull request', 'mcp__git__pulls_merge'],
    ['pulls_merge', 'mcp__git__pulls_merge'],
    ['issuesList', 'mcp__git__issuesList'],
    ['send email subject', 'mcp__mail__send'],
    ['labels', 'mcp__git__issuesList'],
    ['instrutions', 'read_skill'],
    ['Größe', 'größe_ändern'],
  ])('for "%s" finds %s first', (query, first) => {
    expect(index.rank(query, 3)[0]).toBe(first);
  });

  it('a match in the name precedes one in the description', () => {
    const ranked = index.rank('issues', 10);
    expect(ranked.indexOf('mcp__mail__send')).toBeGreaterThan(1);
  });

  it('gives no more than it is asked for, and nothing where nothing fits', () => {
    expect(index.rank('issue', 1)).toHaveLength(1);
    expect(index.rank('zzzzzz', 5)).toEqual([]);
    expect(index.rank('!? …', 5)).toEqual([]);
  });

  it('gives the same result for every caller', () => {
    expect(indexTools(TOOLS).rank('issue owner', 5)).toEqual(index.rank('issue owner', 5));
  });

  it.each([
    ['git_issue_list', 'mcp__git__issuesList'],
    ['mcp__git__isues_create', 'mcp__git__issuesCreate'],
    ['mcp__mail__snd', 'mcp__mail__send'],
    ['readskill', 'read_skill'],
  ])('a wrong name %s is likely %s', (name, meant) => {
    expect(index.nearest(name, 3)[0]).toBe(meant);
  });

  it('finds in many tools what is meant, however long the words', () => {
    const many = Array.from({ length: 5_000 }, (_, number) =>
      tool(`mcp__git__op${number}`, `Operation ${number}.`),
    );
    const large = indexTools([...many, ...TOOLS]);
    expect(large.rank('merge pull request', 5)[0]).toBe('mcp__git__pulls_merge');
    expect(large.nearest('x'.repeat(100_000), 3)).toEqual([]);
  });
});
