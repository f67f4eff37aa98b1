import { afterAll, describe } from '@jest/globals';
import { whenAllRun } from '../../support/selection.js';
import { ClaudeStandIn } from '../../support/services/claude-stand-in.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { claudeEngine, DURABLE, DURABLE_RESPONSES, REAL_SDK, SDK } from './engines.js';
import { anyEngine } from './engines.suite.js';

const standIn = new ClaudeStandIn();
afterAll(() => {
  standIn.close();
});

describe.each([DURABLE, claudeEngine('a stand-in for the Claude Agent SDK', standIn.folder, 8)])(
  'an agent by $name',
  anyEngine,
);

whenAllRun(() => {
  describe.each([DURABLE_RESPONSES])('an agent by $name', anyEngine);
  describeWithProgram(SDK, `an agent by ${REAL_SDK.name}`, () => {
    anyEngine(REAL_SDK);
  });
});
