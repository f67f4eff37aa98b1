import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  localEncryptionKey,
  modelWithoutProvider,
  programEnvironment,
  reachableHost,
  readSettings,
  serviceEnvironment,
} from './settings.ts';

const NOWHERE = {
  databaseUrl: '',
  defaults: {},
  documents: '/documents',
  encryptionKey: '',
  redisNamespace: '',
};

describe('settings of the user', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'capstan-settings-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('comes from the environment first, then from .env, and counts as not set where it is empty', () => {
    writeFileSync(join(root, '.env'), 'PORT=4000\nREDIS_URL=redis://file\nDATABASE_URL=\n');

    const settings = readSettings(root, { PORT: '5000', REDIS_URL: '', HOME: undefined });

    expect(settings).toEqual({ PORT: '5000', REDIS_URL: 'redis://file' });
  });

  it('wins over what a command would choose, but not over what it needs', () => {
    const given = {
      databaseUrl: 'postgres://here',
      defaults: { PROJECT: '/projects/notes' },
      documents: '/documents',
      encryptionKey: 'local:made',
      redisNamespace: 'ours',
      simulatedModel: 'sim-some',
    };

    const set = { ENCRYPTION_KEY: 'k1:mine', AUTH: 'api-key', HOST: '0.0.0.0', PROJECT: '/mine' };
    const environment = programEnvironment(set, given);

    // Data sealed by an earlier start without a configured key can still be opened.
    expect(environment).toMatchObject({
      ENCRYPTION_KEY: 'k1:mine,local:made',
      AUTH: 'api-key',
      HOST: '0.0.0.0',
      PROJECT: '/mine',
      DEFAULT_MODEL: 'sim-some',
    });
    expect(programEnvironment({}, given)).toMatchObject({
      AUTH: 'off',
      HOST: '127.0.0.1',
      PROJECT: '/projects/notes',
    });
  });

  it.each([
    [{}, '127.0.0.1'],
    [{ HOST: '0.0.0.0' }, '127.0.0.1'],
    [{ HOST: '::' }, '[::1]'],
    [{ HOST: '::1' }, '[::1]'],
    [{ HOST: '10.1.2.3' }, '10.1.2.3'],
  ])('says where this machine reaches the API: with %j by %s', (settings, host) => {
    expect(reachableHost(settings)).toBe(host);
  });

  it.each([
    [{}, null],
    [{ DEFAULT_MODEL: 'sim-echo' }, null],
    [{ DEFAULT_MODEL: 'gpt-5', OPENAI_API_KEY: 'key' }, null],
    [{ DEFAULT_MODEL: 'gpt-5' }, 'gpt-5'],
  ])('names the model that no provider has: with %j it is %s', (settings, model) => {
    expect(modelWithoutProvider(settings)).toBe(model);
  });

  it.each([
    [{}, '/documents'],
    [{ DOCUMENTS_ROOT: '/mine' }, '/mine'],
    [{ S3_BUCKET: 'mine' }, undefined],
  ])('says where originals of documents are kept: %j', (settings, folder) => {
    const given = { ...NOWHERE, simulatedModel: 'sim-some' };

    expect(programEnvironment(settings, given)['DOCUMENTS_ROOT']).toBe(folder);
  });

  it.each([
    ['sim-script', 'sim-script'],
    ['gpt-5', 'sim-some'],
  ])('gives the simulator the model it has: with DEFAULT_MODEL=%s it is %s', (DEFAULT_MODEL, model) => {
    const given = { ...NOWHERE, simulatedModel: 'sim-some' };

    expect(programEnvironment({ DEFAULT_MODEL }, given)).toMatchObject({ DEFAULT_MODEL: model });
  });

  it.each([
    { OPENAI_API_KEY: 'key' },
    { OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1' },
    { DEFAULT_PROVIDER: 'openai_compatible' },
  ])('keeps the simulator out with %j', (settings) => {
    const ports = { api: 1, worker: 2, simulator: 3 };
    const given = { ...NOWHERE, simulatedModel: 'sim-some' };

    expect(programEnvironment(settings, given)).not.toHaveProperty('DEFAULT_MODEL');
    expect(serviceEnvironment(settings, ports)).not.toHaveProperty('OPENAI_API_KEY');
  });

  it('are encrypted with a key that is created once and private to the user', () => {
    const key = localEncryptionKey(root);

    expect(key).toMatch(/^local:[\w+/]{43}=$/);
    expect(localEncryptionKey(root)).toBe(key);
    expect(statSync(join(root, '.local', 'encryption-key')).mode & 0o777).toBe(0o600);
  });
});
