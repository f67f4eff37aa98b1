import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { PROGRAM_FOLDERS, programFile } from '../../scripts/build/programs.ts';
import { ROOT } from './repository-files.js';

interface Composed {
  readonly services: Readonly<Record<'api' | 'worker', ComposedService>>;
  readonly volumes: object;
}
interface ComposedService {
  readonly environment: Readonly<Record<string, unknown>>;
  readonly volumes: readonly string[];
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

const dockerfile = read('Dockerfile');
const compose = read('docker-compose.yml');
/** The text of one stage of the Dockerfile. */
const stage = (name: string): string =>
  dockerfile.split(/^FROM /m).find((text) => text.split('\n')[0]?.endsWith(` AS ${name}`)) ?? '';

describe('the image', () => {
  it('is the service when no target is named, and the service holds no simulator', () => {
    expect(found(dockerfile, /^FROM .* AS (\w+)$/gm).at(-1)).toBe('service');
    expect(stage('service')).toContain(`${PROGRAM_FOLDERS.service} `);
    expect(stage('service') + stage('runtime')).not.toContain('simulator');
    expect(stage('runtime')).not.toMatch(/dist /);
  });

  it('starts programs that were compiled where they are, by who runs them', () => {
    const [folder] = found(stage('service'), /^ENV NODE_COMPILE_CACHE=(.*)$/gm);
    expect(stage('service')).toContain(`--chown=node ${folder} .${folder?.replace('/app', '')}\n`);
    expect(stage('build')).toMatch(
      new RegExp(`^USER node\nRUN NODE_COMPILE_CACHE=${folder} node scripts/build/`, 'm'),
    );
  });

  it('does not run as root', () => {
    expect(stage('runtime')).toMatch(/^USER node$/m);
    expect(stage('service') + stage('simulator')).not.toMatch(/^USER /m);
  });

  it('starts programs that exist', () => {
    const started = found(dockerfile + compose, /(dist\/[\w./-]+\.js)/g);
    const named = ['api', 'worker', 'migrate', 'service', 'simulator'] as const;
    expect(new Set(started)).toEqual(new Set(named.map(programFile)));
  });
});

describe('memory settings', () => {
  const ofV8 = /--max-semi-space-size=\d+/g;
  const ofTheLibrary = /(MALLOC_\w+(?:=|: ')\d+)/g;
  const manifests = [compose, read('k8s/base/capstan.yaml'), read('k8s/chart/values.yaml')];
  const onThisMachine = read('scripts/local/service-process.ts');

  it('have the same young generation in the image as on this machine, and no manifest takes that away', () => {
    const [inImage] = stage('runtime').match(ofV8) ?? [];
    expect(onThisMachine.match(ofV8)).toEqual([inImage]);
    expect(manifests.filter((text) => text.includes('NODE_OPTIONS'))).toEqual([]);
  });

  it('treat freed memory alike, and no manifest takes that away', () => {
    const settings = (text: string) =>
      found(text, ofTheLibrary).map((setting) => setting.replace(": '", '='));
    const inImage = settings(stage('runtime'));
    expect(inImage).toHaveLength(3);
    expect(settings(onThisMachine)).toEqual(inImage);
    expect(manifests.filter((text) => text.includes('MALLOC_'))).toEqual([]);
  });
});

describe('the Compose file', () => {
  it('lets every image that is not ours be named by its digest, and has the same for all that is built', () => {
    const images = found(compose, /^ +image: (.*)$/gm).filter((image) => !image.startsWith('capstan'));
    expect(images).toEqual(['${POSTGRES_IMAGE:-postgres:18}', '${REDIS_IMAGE:-redis:8}']);
    expect(found(compose, /^ +args: (.*)$/gm)).toEqual(['&images', '*images']);
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=(\S+)\nFROM \$\{NODE_IMAGE\} AS base$/m);
    expect(compose).toContain(
      `NODE_IMAGE: \${NODE_IMAGE:-${/^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1]}}`,
    );
  });

  it('keeps originals of documents where API and worker both find them, and has every role', () => {
    const { services, volumes } = parse(compose, { merge: true }) as Composed;
    for (const { environment, volumes: mounted } of [services.api, services.worker]) {
      expect(environment).toMatchObject({ DOCUMENTS_ROOT: '${DOCUMENTS_ROOT-/documents}' });
      expect(environment).not.toHaveProperty('WORKER_ROLES');
      expect(mounted).toEqual(['documents:/documents']);
    }
    expect(Object.keys(volumes)).toContain('documents');
    expect(stage('runtime')).toMatch(/mkdir \/documents && chown node:node \/documents\nUSER node$/m);
  });

  it('opens one port to the host, on loopback', () => {
    expect(found(compose, /^ +ports:\n +- (.*)$/gm)).toEqual([`'127.0.0.1:\${API_PORT:-3000}:3000'`]);
  });
});
