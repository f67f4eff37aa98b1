import { ToolServerDriver, type OpenedServer, type ServerCredentials, type ToolServer } from '#libs/tooling';

/** The tools and warnings of a server when it is opened, or its error. */
export type Script = (
  server: ToolServer,
  signal: AbortSignal,
) => Partial<Pick<OpenedServer, 'tools' | 'warnings'>> | Promise<Pick<OpenedServer, 'tools'>>;

/** Opens servers by a script, and records which of them are still open. */
export class ScriptedDriver extends ToolServerDriver {
  readonly credentials: ServerCredentials[] = [];
  readonly opened: string[] = [];
  readonly held: Set<string> = new Set();

  constructor(private readonly script: Script) {
    super();
  }

  override async open(
    server: ToolServer,
    credentials: ServerCredentials,
    _run: unknown,
    signal: AbortSignal,
  ): Promise<OpenedServer> {
    this.credentials.push(credentials);
    this.opened.push(server.name);
    const offered = await this.script(server, signal);
    this.held.add(server.name);
    return {
      tools: [],
      warnings: [],
      ...offered,
      close: () => {
        this.held.delete(server.name);
        return Promise.resolve();
      },
    };
  }
}
