import { describe, expect, it } from '@jest/globals';
import { AuditLog } from './audit-log.js';

function openLog(enabled = true, secrets: string[] = []) {
  const lines: string[] = [];
  const trail = new AuditLog({ enabled, write: (line) => lines.push(line) }).open(secrets, 'responses_api');
  return { trail, lines };
}

describe('AuditLog', () => {
  it('S1-44: is silent unless it is switched on', () => {
    const { trail, lines } = openLog(false);
    trail.write('request', { model: 'm' });
    expect(lines).toEqual([]);
  });

  it('S1-45, S1-46: writes one line of JSON with sorted keys and without empty values', () => {
    const { trail, lines } = openLog();
    trail.write('request', {
      model: 'm',
      stream: false,
      tool_count: 0,
      response_format: '',
      has_user: undefined,
      max_output_tokens: null,
    });
    expect(lines).toEqual([
      expect.stringMatching(
        /^openai_gpt5_audit \{"audit_id":"[0-9a-f]{12}","event":"responses_api_request","model":"m","stream":false,"tool_count":0\}$/,
      ),
    ]);
  });

  it('S1-45: the events of one call share their id, those of two calls do not', () => {
    const one = openLog();
    one.trail.write('request', { model: 'm' });
    one.trail.write('success', { model: 'm' });
    const other = openLog();
    other.trail.write('error', { model: 'm' });
    const ids = [...one.lines, ...other.lines].map((line) => /"audit_id":"(\w+)"/.exec(line)?.[1]);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });

  it('S1-47: writes only listed fields, for any input', () => {
    const { trail, lines } = openLog();
    const tooMuch = { model: 'm', prompt: 'canary', authorization: 'canary', message: 'canary' };
    trail.write('request', tooMuch);
    trail.write('success', tooMuch);
    trail.write('error', tooMuch);
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain('canary');
  });

  it('S1-47: leaves out a value that contains a secret', () => {
    const { trail, lines } = openLog(true, ['sk-canary', '']);
    trail.write('success', { model: 'm', response_model: 'echo sk-canary echo' });
    expect(lines[0]).toContain('"model":"m"');
    expect(lines[0]).not.toContain('canary');
  });
});
