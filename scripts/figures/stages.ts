/** Stages of a run with the files of each; the first that matches counts. Pieces that several stages use are in the last. */
const STAGES: readonly (readonly [stage: string, files: RegExp])[] = [
  ['webhook', /webhook|\/libs\/guarded-fetch\//],
  [
    'HTTP',
    /\/apps\/api\/src\/(?:http|idempotency|metrics)\/|create-api-app|\/libs\/(?:http-server|rate-limits)\/|api-key|http-metrics/,
  ],
  [
    'accept',
    /\/apps\/api\/|\/executions\/src\/submit\/|\/(?:accept|execution-acceptance|backlog|queue-room|check-admission|execute-request)|\/requests\//,
  ],
  ['dispatch', /\/executions\/src\/dispatch\/|\/libs\/queue\/|\/payloads\/src\/jobs\//],
  [
    'claim',
    /\/(?:slots|isolation|presence|health)\/|run-execution|\/execute\/(?:execute|slots)|claim|\/persistence\/.*\/stored-context|worker-presence/,
  ],
  ['open', /\/executions\/src\/(?:attempt|events)\/|\/libs\/event-stream\/|\/execute\//],
  [
    'plan',
    /\/executions\/src\/(?:plan|runners)\/|load-tools|\/libs\/(?:tool-sources|policy|project)\/|\/(?:models|tool-servers|workspace)\//,
  ],
  [
    'settle',
    /settle|ending-row|usage-r|execution-view|shown-wait|execution-(?:metadata|result)|citations|retriever-resources|session-title/,
  ],
  ['loop', /\/libs\/(?:agent-core|model-providers|tooling)\/|\/executions\/src\/tools\/|\/persistence\//],
];
const ORDER = ['HTTP', 'accept', 'dispatch', 'claim', 'open', 'plan', 'loop', 'settle', 'webhook', 'shared'];

/** Number of files by stage of a run, in the order of the stages. Pure. */
export function countByStage(paths: readonly string[]): { readonly stage: string; readonly count: number }[] {
  const stages = Map.groupBy(paths, stageOf);
  return ORDER.map((stage) => ({ stage, count: stages.get(stage)?.length ?? 0 }));
}

function stageOf(path: string): string {
  return STAGES.find(([, files]) => files.test(`/${path}`))?.[0] ?? 'shared';
}
