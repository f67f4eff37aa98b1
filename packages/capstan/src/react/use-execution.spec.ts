import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { scriptedFetch } from '../../fakes/scripted-fetch.js';
import { Capstan } from '../client/index.js';
import { useExecution } from './use-execution.js';

describe('the hook on a server', () => {
  it.each(['e1', null])('shows nothing of %s yet, and asks nothing', (id) => {
    const { fetch, sent } = scriptedFetch();
    const client = new Capstan({ fetch });
    const Shown = (): string => {
      const { status, text, connection } = useExecution(id, { client });
      return `${status ?? connection}:${text}`;
    };
    expect(renderToString(createElement(Shown))).toBe('connecting:');
    expect(sent).toEqual([]);
  });
});
