// Types of `capstan/kit/testing`. Its code is libs/kit-testing, which the package holds as one bundle.
import type { AgentTesting } from './agent-test.js';

export type {
  AgentTestOptions,
  CrashedCall,
  CrashReport,
  ScriptedAnswer,
  ScriptedCall,
  TestedCall,
  TestedOutcome,
  TestedRun,
  ToolReport,
} from './agent-test.js';

export declare const call: AgentTesting['call'];
export declare const testAgent: AgentTesting['testAgent'];
export declare const killAtEveryCommit: AgentTesting['killAtEveryCommit'];
