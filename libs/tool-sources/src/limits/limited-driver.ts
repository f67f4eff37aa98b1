import {
  errorResult,
  wasUnreachable,
  ToolServerDriver,
  ToolServerFailure,
  type OpenedServer,
  type ServerCredentials,
  type ServerTool,
  type ToolServer,
  type ToolSourceContext,
} from '#libs/tooling';
import { ServerCallRefused, type ServerCalls } from './server-calls.js';

/**
 * Wraps the driver of external servers: marks their tools as foreign, and applies the limits of `ServerCalls` to
 * openings and calls together.
 */
export class LimitedDriver extends ToolServerDriver {
  constructor(
    private readonly driver: ToolServerDriver,
    private readonly calls: ServerCalls,
  ) {
    super();
  }

  override async open(
    server: ToolServer,
    credentials: ServerCredentials,
    run: ToolSourceContext | null,
    signal: AbortSignal,
  ): Promise<OpenedServer> {
    const opening = async (): Promise<OpenedServer> => {
      try {
        return await this.driver.open(server, credentials, run, signal);
      } catch (error) {
        throw error instanceof ToolServerFailure && error.fault === 'unreachable' && !wasUnreachable(error)
          ? new Unreached(error)
          : error;
      }
    };
    try {
      const opened = await this.calls.run(server, 'opening', signal, opening);
      return {
        ...opened,
        close: () => opened.close(),
        tools: opened.tools.map((tool) => this.limit(server, tool)),
      };
    } catch (error) {
      if (error instanceof Unreached) throw error.failure;
      if (!(error instanceof ServerCallRefused)) throw error;
      throw new ToolServerFailure(error.reason === 'busy' ? 'overloaded' : 'unreachable', error.message);
    }
  }

  private limit(server: ToolServer, tool: ServerTool): ServerTool {
    return {
      ...tool,
      isForeign: true,
      run: async (input, context) => {
        try {
          return await this.calls.run(server, 'call', context.signal, () => tool.run(input, context));
        } catch (error) {
          if (!(error instanceof ServerCallRefused)) throw error;
          return { result: errorResult(error.message) };
        }
      },
    };
  }
}

/** A failure to reach a server, given the code that the circuit breaker recognises. */
class Unreached extends Error {
  readonly code = 'FETCH_NOT_REACHED';

  constructor(readonly failure: ToolServerFailure) {
    super(failure.message, { cause: failure });
  }
}
