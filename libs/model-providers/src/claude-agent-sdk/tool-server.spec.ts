import { describe, expect, it } from '@jest/globals';
import { answerToolServer } from './tool-server.js';

const tools = [{ name: 'search', description: 'finds', inputSchema: { type: 'object' } }];
const ask = (method: string, params: object = {}, id: number | undefined = 1) =>
  answerToolServer({ jsonrpc: '2.0', id, method, params }, tools, (callId) =>
    Promise.resolve(callId === 'empty' ? '' : `output of ${callId}`),
  );
const call = (_meta: object) => ask('tools/call', { name: 'search', arguments: {}, _meta });

describe('the server of our tools in the engine', () => {
  it('introduces itself and lists the tools', async () => {
    expect(await ask('initialize', { protocolVersion: '2025-06-18' })).toMatchObject({
      ...{ jsonrpc: '2.0', id: 1 },
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} } },
    });
    expect(await ask('tools/list')).toEqual({ jsonrpc: '2.0', id: 1, result: { tools } });
  });

  it('answers a call with the output for the call of the model', async () =>
    expect(await call({ 'claudecode/toolUseId': 'call_1' })).toMatchObject({
      result: { content: [{ type: 'text', text: 'output of call_1' }] },
    }));

  it('answers an empty output without a text, which the API would refuse', async () =>
    expect(await call({ 'claudecode/toolUseId': 'empty' })).toMatchObject({ result: { content: [] } }));

  it('refuses a call that no model made, and unknown methods', async () => {
    expect(await call({})).toMatchObject({ error: { code: -32_602 } });
    expect(await ask('resources/list')).toMatchObject({ error: { code: -32_601 } });
  });

  it('answers no notification', async () =>
    expect(
      await answerToolServer({ jsonrpc: '2.0', method: 'notifications/initialized' }, tools, () =>
        Promise.resolve(''),
      ),
    ).toBeNull());
});
