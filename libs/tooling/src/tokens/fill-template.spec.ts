import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fillTemplate } from './fill-template.js';

const TOKENS = { crm: 'secret-1', mail_2: 'secret-2', odd: '$& ${crm} $1', blank: '' };

describe('filling a template', () => {
  it.each<[string, string, string]>([
    ['nothing to fill', 'application/json', 'application/json'],
    ['a placeholder alone', '${crm}', 'secret-1'],
    ['one within text', 'Bearer ${crm}', 'Bearer secret-1'],
    ['several in one value', '${crm}:${mail_2}/${crm}', 'secret-1:secret-2/secret-1'],
    [
      'a token that looks like a placeholder, or like a replacement pattern',
      'a ${odd} b',
      'a $& ${crm} $1 b',
    ],
    ['dollars and braces that are no placeholder', '$crm {crm} $ {crm} }{', '$crm {crm} $ {crm} }{'],
    ['a dollar before a placeholder', '$${crm}', '$secret-1'],
  ])('fills %s (S4-9)', (_case, template, value) => {
    expect(fillTemplate(template, TOKENS)).toEqual({ value });
  });

  it.each<[string, string, string[]]>([
    ['a token that is not there', 'Bearer ${other}', ['other']],
    ['one of several', '${crm}:${other}', ['other']],
    ['two, one of them twice', '${b}${a}${b}', ['b', 'a']],
    ['an empty token: never an empty credential', 'Bearer ${blank}', ['blank']],
    [
      'what objects inherit',
      '${constructor} ${toString} ${__proto__}',
      ['constructor', 'toString', '__proto__'],
    ],
    ['a placeholder without a name', 'Bearer ${}', ['${']],
    ['one whose name is none', 'Bearer ${a-b} ${ crm }', ['${']],
    ['one that does not end', 'Bearer ${crm', ['${']],
    ['one in another', '${a${other}}', ['other', '${']],
    ['a name that is too long', `\${${'a'.repeat(65)}}`, ['${']],
  ])('leaves out the whole value for %s (S4-9)', (_case, template, missing) => {
    expect(fillTemplate(template, TOKENS)).toEqual({ missing });
  });
});

const name = fc.stringMatching(/^\w{1,64}$/);
const secret = fc.stringMatching(/^[\x21-\x7e]([\x20-\x7e]{0,40}[\x21-\x7e])?$/);
const piece = fc.oneof(
  { weight: 1, arbitrary: fc.stringMatching(/^[\x20-\x23\x25-\x7e]{0,10}$/).map((text) => ({ text })) },
  { weight: 2, arbitrary: name.map((named) => ({ named })) },
);
type Piece = { readonly text: string } | { readonly named: string };
const toTemplate = (pieces: readonly Piece[]): string =>
  pieces.map((part) => ('text' in part ? part.text : `\${${part.named}}`)).join('');

describe('for any tokens and templates', () => {
  it('puts every token where its name stands, whole, and changes nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(piece),
        fc.dictionary(name, secret, { noNullPrototype: false }),
        (pieces, given) => {
          const named = pieces.flatMap((part) => ('named' in part ? [part.named] : []));
          const tokens: Record<string, string> = {
            ...Object.fromEntries(named.map((of) => [of, 'x'])),
            ...given,
          };
          const expected = pieces.map((part) => ('text' in part ? part.text : tokens[part.named])).join('');
          expect(fillTemplate(toTemplate(pieces), tokens)).toEqual({ value: expected });
        },
      ),
    );
  });

  it('fills no header that is more than one, or that a server would not get as it is', () => {
    fc.assert(
      fc.property(fc.array(piece), fc.dictionary(name, secret), (pieces, tokens) => {
        const filled = fillTemplate(toTemplate(pieces), tokens);
        if (!('value' in filled)) return;
        const headers = [...new Headers({ 'x-filled': filled.value })];
        expect(headers).toEqual([['x-filled', filled.value.trim()]]);
      }),
    );
  });

  it('sends no part of a value of which anything is missing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[${}ab]*$/), (template) => {
        const filled = fillTemplate(template, {});
        if ('value' in filled) expect(template).not.toContain('${');
        else expect(filled.missing).not.toEqual([]);
      }),
    );
  });
});
