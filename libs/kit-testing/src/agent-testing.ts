import type { AgentTesting, ScriptedCall } from '#libs/kit';
import { reportCrashes, type CrashedRun } from './crash-report.js';
import { TestedAgents } from './tested-agents.js';
import { runToEnd, type Crash } from './tested-execution.js';

/** See {@link AgentTesting.call}. */
export const call: AgentTesting['call'] = ({ name }, input): ScriptedCall => ({ tool: name, input });

/** See {@link AgentTesting.testAgent}. */
export const testAgent: AgentTesting['testAgent'] = async (agent, options) => {
  const { outcome, calls, staged, data } = await runToEnd(agent, options);
  return { outcome, calls, staged, data };
};

/** See {@link AgentTesting.killAtEveryCommit}. */
export const killAtEveryCommit: AgentTesting['killAtEveryCommit'] = async (agent, options) => {
  const calm = await runToEnd(agent, options);
  const crashed: CrashedRun[] = [];
  for (const crash of crashesAt(calm.commits))
    crashed.push({ ...(await runToEnd(agent, options, crash)), crash: describeCrash(crash) });
  return reportCrashes(new TestedAgents(agent).tools(), calm, crashed);
};

function crashesAt(commits: number): Crash[] {
  return Array.from({ length: commits }, (_, index) => index + 1).flatMap((commit) =>
    (['before', 'after'] as const).flatMap((when) => [
      { commit, when, isLate: false },
      { commit, when, isLate: true },
    ]),
  );
}

function describeCrash({ commit, when, isLate }: Crash): string {
  return `${when} commit ${commit}${isLate ? ', while calls went on' : ''}`;
}
