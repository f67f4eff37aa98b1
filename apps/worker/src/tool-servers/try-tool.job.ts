import type { Logger } from '#libs/observability';
import { ToolListingStore, ToolServerStore, ToolTrialStore } from '#libs/persistence';
import { SecretBox, toolTrialPlace } from '#libs/secrets';
import {
  compileForeignSchema,
  limitDrivers,
  ServerAccess,
  ServerCalls,
  type ToolServerDrivers,
} from '#libs/tool-sources';
import { ToolServerFailure } from '#libs/tooling';
import { defineJob } from '../jobs/define-job.js';
import { ToolServersModule } from './tool-servers.module.js';
import { LOGGER, TOOL_SERVER_DRIVERS } from '../worker.tokens.js';
import { openToolServer } from './tool-server-repository.js';
import { TryTool } from './try-tool.js';

/** The API waits for this job and reads the answer from its row. */
export const tryToolJob = defineJob({
  queue: 'try-tool',
  concurrency: 10,
  imports: [ToolServersModule],
  inject: [
    ToolTrialStore,
    ToolServerStore,
    ToolListingStore,
    SecretBox,
    TOOL_SERVER_DRIVERS,
    ServerCalls,
    ServerAccess,
    LOGGER,
  ],
  make: (...given: Parameters<typeof createTryTool>) => {
    const tryTool = createTryTool(...given);
    return ({ tenantId, trialId }) => tryTool.execute(tenantId, trialId);
  },
});

export function createTryTool(
  trials: ToolTrialStore,
  servers: ToolServerStore,
  listings: ToolListingStore,
  box: SecretBox,
  drivers: ToolServerDrivers,
  calls: ServerCalls,
  access: Pick<ServerAccess, 'to'>,
  logger: Logger,
): TryTool {
  return new TryTool({
    take: (tenantId, id) => trials.take(tenantId, id),
    finish: (tenantId, id, answer) => trials.finish(tenantId, id, answer),
    findServer: (tenantId, id) => servers.findSealed(tenantId, id),
    openSecrets: (row) => openToolServer(row, box),
    openTokens: ({ tenantId, id, tokensSealed }) => {
      if (tokensSealed === null) return {};
      return JSON.parse(box.open(tokensSealed, toolTrialPlace(tenantId, id))) as Record<string, string>;
    },
    drivers: limitDrivers(drivers, calls),
    access,
    writeListing: (server, tools) => listings.write(server, tools),
    compileReader: compileForeignSchema,
    onError: (error, { id, serverId, toolName }) =>
      logger.warn({ why: nameOf(error), trialId: id, serverId, toolName }, 'tool server failed its trial'),
  });
}

/** Name of an error for the log, without its message, which may quote tokens. */
function nameOf(error: unknown): string {
  if (error instanceof ToolServerFailure) return `${error.fault}: ${error.message}`;
  const code = error instanceof Error && 'code' in error ? ` ${String(error.code)}` : '';
  return error instanceof Error ? `${error.name}${code}` : 'something that is no error';
}
