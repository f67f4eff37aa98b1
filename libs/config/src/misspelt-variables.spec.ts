import { describe, expect, it } from '@jest/globals';
import { envSchema } from './env.schema.js';
import { misspeltVariables } from './misspelt-variables.js';

const SETTINGS = Object.keys(envSchema.shape);

describe('a variable that is no setting', () => {
  it.each([
    ['AUHT', 'AUTH'],
    ['PORTT', 'PORT'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
    ['OPENAI_KEY', 'OPENAI_API_KEY'],
    ['EXECUTION_TIMEOUT', 'EXECUTION_TIMEOUT_SECONDS'],
    ['EXECUTION_TIMEOUT_MS', 'EXECUTION_TIMEOUT_SECONDS'],
    ['RATE_LIMIT_PER_USER', 'RATE_LIMIT_PER_KEY'],
    ['WORKERS_CONCURRENCY', 'WORKER_CONCURRENCY'],
    ['CAPSTAN_DEFAULT_MODEL', 'DEFAULT_MODEL'],
    ['METRIC_PORT', 'METRICS_PORT'],
  ])('is found where it looks like one: %s', (variable, setting) => {
    expect(misspeltVariables({ [variable]: 'secret' }, SETTINGS)).toEqual([{ variable, setting }]);
  });

  it.each([
    // Every setting, and programs beside the service.
    [...SETTINGS, 'SIMULATOR_PORT', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'NODE_IMAGE', 'POSTGRES_IMAGE'],
    ['API', 'API_KEY', 'CHAT_MODEL', 'EMBED_MODEL', 'COMPOSE_PROFILES', 'CAPSTAN_STARTED_AT', 'FILES'],
    // Shells and desktops.
    [
      'PATH',
      'HOME',
      'PWD',
      'OLDPWD',
      'SHELL',
      'SHLVL',
      'USER',
      'LOGNAME',
      'LANG',
      'LC_ALL',
      'TERM',
      'TZ',
      '_',
    ],
    [
      'HOSTNAME',
      'HOSTTYPE',
      'EDITOR',
      'PAGER',
      'TMPDIR',
      'DISPLAY',
      'SSH_AUTH_SOCK',
      'XAUTHORITY',
      'COLORTERM',
    ],
    [
      'XDG_RUNTIME_DIR',
      'DBUS_SESSION_BUS_ADDRESS',
      'GPG_TTY',
      'LS_COLORS',
      'MAIL',
      'NO_COLOR',
      'FORCE_COLOR',
    ],
    // Node, npm, and images of Node.
    ['NODE', 'NODE_OPTIONS', 'NODE_PATH', 'NODE_VERSION', 'YARN_VERSION', 'NODE_EXTRA_CA_CERTS', 'INIT_CWD'],
    ['npm_config_loglevel', 'npm_package_name', 'npm_lifecycle_event', 'npm_execpath', 'NODE_COMPILE_CACHE'],
    ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'UV_THREADPOOL_SIZE', 'DEBUG'],
    // Continuous integration.
    [
      'CI',
      'GITHUB_TOKEN',
      'GITHUB_WORKSPACE',
      'RUNNER_OS',
      'CI_JOB_ID',
      'NODE_NAME',
      'NODE_LABELS',
      'BUILD_URL',
    ],
    [
      'JOB_NAME',
      'WORKSPACE',
      'EXECUTOR_NUMBER',
      'AGENT_NAME',
      'CIRCLE_NODE_TOTAL',
      'BUILDKITE_QUEUE',
      'TF_BUILD',
    ],
    // Clouds and other programs.
    [
      'AWS_REGION',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_PROFILE',
      'GOOGLE_APPLICATION_CREDENTIALS',
    ],
    ['DATABASE_HOST', 'REDIS_TLS_URL', 'DYNO', 'PGHOST', 'PGPORT', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
    ['OPENAI_ORG_ID', 'OPENAI_API_VERSION', 'OPENAI_API_TYPE', 'ANTHROPIC_API_KEY', 'SSL_CERT_FILE'],
  ])('is left alone where it belongs to another program: %s and so on', (...names) => {
    expect(misspeltVariables(Object.fromEntries(names.map((name) => [name, 'x'])), SETTINGS)).toEqual([]);
  });

  it('is left alone where Kubernetes names a service beside ours', () => {
    const links = {
      KUBERNETES_SERVICE_HOST: '10.0.0.1',
      KUBERNETES_PORT: 'tcp://10.0.0.1:443',
      METRIC_PORT: 'tcp://10.0.0.2:80',
      WORKERS_PORT: 'tcp://10.0.0.2:80',
      CAPSTAN_API_PORT: 'tcp://10.0.0.3:3000',
      CAPSTAN_API_SERVICE_HOST: '10.0.0.3',
      CAPSTAN_API_SERVICE_PORT_HTTP: '3000',
      CAPSTAN_API_PORT_3000_TCP_ADDR: '10.0.0.3',
      REDIS_PORT_6379_TCP: 'tcp://10.0.0.4:6379',
    };
    expect(misspeltVariables(links, SETTINGS)).toEqual([]);
  });
});
