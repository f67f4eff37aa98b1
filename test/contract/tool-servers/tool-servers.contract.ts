import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { offerServerTool, openServer } from '#libs/tool-sources';
import {
  mayHaveTakenEffect,
  PassingFailure,
  readToolReturn,
  ToolServerFailure,
  type OpenedServer,
  type ServerTool,
  type ToolServer,
} from '#libs/tooling';
import { NO_CREDENTIALS, runOf, toolContext } from '../../support/mcp/mcp-world.js';
import { waitFor } from '../../support/services/wait-for.js';
import type { ToolServerBackend } from './tool-server-backend.js';

const TOOLS = ['drop', 'fail', 'find', 'flood', 'hang'];
/** Maximum length of one answer (10 MiB), plus 64 KiB for the text around it. */
const MAX_READ_BYTES = 10 * 1_024 * 1_024 + 65_536;

/** Contract of `ToolServerDriver` that every protocol keeps. */
export function describeToolServers(begin: () => Promise<ToolServerBackend>): void {
  let backend: ToolServerBackend;
  beforeEach(async () => {
    backend = await begin();
  });
  afterEach(() => backend.close());

  const open = (
    server: ToolServer = backend.server,
    run = 'execution-1',
    signal = new AbortController().signal,
  ): Promise<OpenedServer> =>
    openServer({ [server.type]: backend.driver }, server, NO_CREDENTIALS, runOf(run), signal);
  const called = ({ tools }: OpenedServer, name: string): ServerTool => {
    const tool = tools.find((offered) => offered.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool;
  };
  const callOf = (opened: OpenedServer, name: string, input: object = {}, more = {}) =>
    called(opened, name).run(input, toolContext(more));
  const untilNothingIsHeld = () =>
    waitFor(async () => (await backend.held()) === 0, { description: 'nothing to be held' });

  it('lists its tools once each, with schemas of objects, within the limits of the server', async () => {
    const opened = await open();
    expect(opened.tools.map(({ name }) => name).toSorted()).toEqual(TOOLS);
    for (const tool of opened.tools) {
      expect(tool.inputSchema['type']).toBe('object');
      expect(tool.description).not.toBe('');
      expect(offerServerTool(backend.server, tool)?.timeoutMs).toBeLessThanOrEqual(
        backend.server.limits.timeout_ms,
      );
    }
    await opened.close();
  });

  it('offers a tool as its tenant declares it, and an undeclared one with the strictest effect', async () => {
    const opened = await open();
    const declared = { ...backend.server, tools: { find: { effect: 'unsafe' as const } } };
    expect(offerServerTool(declared, called(opened, 'find'))?.effect).toBe('unsafe');
    expect(offerServerTool(backend.server, called(opened, 'drop'))?.effect).toBe('unsafe');
    await opened.close();
  });

  it('answers a call, again and side by side', async () => {
    const opened = await open();
    const words = ['tea', 'salt', 'tea'];
    const answers = await Promise.all(words.map((word) => callOf(opened, 'find', { word })));
    expect(answers.map((answer) => readToolReturn(answer, 65_536).output)).toEqual(
      words.map((word) => expect.stringContaining(`found ${word}`)),
    );
    expect(answers.every(({ result }) => result.status === 'success')).toBe(true);
    await opened.close();
  });

  it('says what its server says went wrong, and throws nothing for it', async () => {
    const opened = await open();
    const answer = await callOf(opened, 'fail');
    expect(answer.result.status).toBe('error');
    expect(readToolReturn(answer, 65_536).output).toContain('out of paper');
    await opened.close();
  });

  it('gives a call up that is cancelled, and its server hears of it; others go on', async () => {
    const opened = await open();
    const stop = new AbortController();
    const hanging = callOf(opened, 'hang', {}, { signal: stop.signal }).then(
      () => 'answered',
      () => 'given up',
    );
    await waitFor(() => backend.hanging().begun === 1, { description: 'the call to begin' });
    stop.abort(new DOMException('the tool took too long', 'TimeoutError'));
    expect(await hanging).toBe('given up');
    await waitFor(() => backend.isDeaf === true || backend.hanging().given === 1, {
      description: 'the server to hear of it',
    });
    expect((await callOf(opened, 'find', { word: 'tea' })).result.status).toBe('success');
    await opened.close();
    await untilNothingIsHeld();
  });

  it('calls nothing whose signal says so before', async () => {
    const opened = await open();
    const call = callOf(opened, 'hang', {}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toBeDefined();
    expect(backend.hanging().begun).toBe(0);
    await opened.close();
  });

  it('reads no more of an answer than it may', async () => {
    const opened = await open();
    const answer = await callOf(opened, 'flood').catch((error: unknown) => error);
    const said = answer instanceof Error ? answer.message : JSON.stringify(answer);
    expect(said.length).toBeLessThan(MAX_READ_BYTES);
    await opened.close();
    await untilNothingIsHeld();
  });

  it('leaves open whether a call took effect that broke off', async () => {
    const opened = await open();
    const thrown: unknown = await callOf(opened, 'drop').catch((error: unknown) => error);
    expect(mayHaveTakenEffect(thrown)).toBe(true);
    await opened.close();
    await untilNothingIsHeld();
  });

  it('reports for an unreachable server that nothing happened', async () => {
    const { nowhere } = backend;
    if (nowhere === null) return;
    const failure: unknown = await open(nowhere).then(
      async (opened) => {
        const thrown: unknown = await callOf(opened, 'drop').catch((error: unknown) => error);
        await opened.close();
        return thrown;
      },
      (error: unknown) => error,
    );
    if (failure instanceof ToolServerFailure) expect(failure.fault).toBe('unreachable');
    else expect(failure).toBeInstanceOf(PassingFailure);
    expect(mayHaveTakenEffect(failure)).toBe(false);
    await untilNothingIsHeld();
  });

  it('holds nothing of an opening that is given up', async () => {
    const opening = open(backend.server, 'execution-2', AbortSignal.abort());
    await expect(opening).rejects.toBeInstanceOf(ToolServerFailure);
    await untilNothingIsHeld();
  });

  describe('once it is closed', () => {
    it('nothing is held, however often it is closed, and another run is not touched', async () => {
      const [one, other] = await Promise.all([open(), open(backend.server, 'execution-2')]);
      await one.close();
      await one.close();
      expect((await callOf(other, 'find', { word: 'tea' })).result.status).toBe('success');
      await other.close();
      await untilNothingIsHeld();
    });

    it('a call that is under way then ends', async () => {
      const opened = await open();
      const stop = new AbortController();
      const hanging = callOf(opened, 'hang', {}, { signal: stop.signal }).catch(() => 'ended');
      await waitFor(() => backend.hanging().begun === 1, { description: 'the call to begin' });
      await opened.close();
      stop.abort();
      expect(await hanging).toBe('ended');
      await untilNothingIsHeld();
    });
  });
}
