import { expect, it } from '@jest/globals';
import { pureFilesOf } from './pure-files.js';

it('chooses the sources of pure libraries, each once', () => {
  const policy = 'libs/policy/src/check-budget.ts';
  expect(
    pureFilesOf([
      policy,
      policy,
      'libs/agent-core/src/history/trim.ts',
      'libs/policy/src/check-budget.spec.ts',
      'libs/policy/src/index.ts',
      'libs/persistence/src/sql.ts',
      'libs/model-providers/src/providers.ts',
      'libs/model-providers/src/wire/responses/restore-answer.ts',
      'apps/api/src/main.ts',
      '',
    ]),
  ).toEqual([
    'libs/agent-core/src/history/trim.ts',
    'libs/model-providers/src/wire/responses/restore-answer.ts',
    policy,
  ]);
});
