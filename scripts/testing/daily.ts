/**
 * Spec files that `npm test` skips and `npm run test:all` runs: other tests cover them, or they are controls, or take too
 * long for daily runs. Of other files `npm test` runs a selection (`test/support/selection.ts`).
 */
export const NOT_DAILY: readonly string[] = [
  'architecture/lint-rules',
  'architecture/package',
  'architecture/typed-rules',
  'crash/attribution/unaffected-executions',
  'crash/chaos/chaos-smoke',
  'crash/chaos/left-behind',
  'crash/controls/failing-lanes',
  'crash/controls/protections',
  'crash/database/shared-commits',
  'crash/documents/fetched-documents',
  'crash/documents/files',
  'crash/documents/knowledge-bill',
  'crash/releases/mixed-releases',
  'crash/tasks/revocations',
  'crash/tasks/sent-orders',
  'crash/tasks/summaries',
  'crash/tools/support-desk',
  'e2e/builds/compiled-ahead',
  'e2e/builds/generated-clients',
  'e2e/builds/image-packages',
  'e2e/builds/removed-domains',
  'e2e/builds/second-domain',
  'e2e/commands/commands',
  'e2e/console/bulk',
  'e2e/console/outages',
  'e2e/databases/connections',
  'e2e/databases/tls',
  'e2e/documents/deleted',
  'e2e/documents/documents',
  'e2e/documents/failing-models',
  'e2e/documents/many-at-once',
  'e2e/documents/unreadable',
  'e2e/executions/agents',
  'e2e/executions/approval',
  'e2e/executions/compatible-provider',
  'e2e/executions/execution-webhook',
  'e2e/executions/searched-tools',
  'e2e/executions/stop-and-repeat',
  'e2e/outages/lost-refresh',
  'e2e/outages/silent-connections',
  'e2e/secrets/canary-oauth',
  'e2e/secrets/canary-tokens',
  'e2e/service/hostile-bytes',
  'e2e/service/metrics',
  'e2e/service/start-and-stop',
  'e2e/service/whole-service',
  'e2e/workers/memories',
  'e2e/workers/session-title',
];

/** Pattern for Jest's `--testPathIgnorePatterns` that matches exactly these files. */
export function notDailyPattern(): string {
  return `/test/(${NOT_DAILY.join('|')})\\.spec\\.ts$`;
}
