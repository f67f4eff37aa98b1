import { expect, it, jest } from '@jest/globals';
import { parseEnv } from '#libs/config';
import type { Logger } from './logger.js';
import { warnOfMisspeltVariables } from './misspelt-variables.js';

it('a misspelt variable is named in the log with the nearest setting, and never with its value', () => {
  const warn = jest.fn();
  const { misspelt } = parseEnv({
    DATABASE_URL: 'postgres://127.0.0.1/any',
    OPENAI_APIKEY: 'sk-canary',
    KUBERNETES_PORT: 'tcp://10.0.0.1:443',
  });

  warnOfMisspeltVariables(misspelt, { warn } as unknown as Logger);

  expect(warn.mock.calls).toEqual([
    [
      { variable: 'OPENAI_APIKEY', setting: 'OPENAI_API_KEY' },
      'the variable OPENAI_APIKEY is no setting and has no effect; the nearest one is OPENAI_API_KEY',
    ],
  ]);
});
