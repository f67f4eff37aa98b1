import { expect, it } from '@jest/globals';
import type { ManagedResourceStore, WebhookEndpointStore } from '#libs/persistence';
import type { WebhookEndpointFieldsDto } from '../webhook-endpoints/webhook-endpoints.dto.js';
import type { WebhookEndpointsService } from '../webhook-endpoints/webhook-endpoints.service.js';
import type { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';
import { ApplyByName } from './apply-by-name.js';
import { WebhookEndpointsByName } from './webhook-endpoints-by-name.js';

/** Sealed secrets. */
interface Rotation {
  readonly from: string;
  readonly to: string;
}

const VIEW = { id: 1, name: 'hook', url: 'https://example.com/hook', events: [], is_active: true };
const FIELDS = {
  url: VIEW.url,
  events: [],
  is_active: true,
  secret: 'new',
} as unknown as WebhookEndpointFieldsDto;

/**
 * One application of `FIELDS`, and the rotations that it wrote.
 *
 * @param secrets those that the endpoint has at first and, if there are two, once it was read
 */
async function applied([first, second = first]: readonly string[], url: string) {
  const rotations: (Rotation | null)[] = [];
  let stored = first;
  const endpoints = {
    findByName: async () => ({ ...VIEW, url }),
    findSealedSecret: async () => {
      const seen = stored;
      stored = second;
      return seen;
    },
    update: async (_tenantId: string, _id: number, _fields: object, rotation: Rotation | null) => {
      if (rotation !== null && rotation.from !== stored) return null;
      rotations.push(rotation);
      return VIEW;
    },
  } as unknown as WebhookEndpointStore;
  const keeper = {
    isSame: (_tenantId: string, _id: number, sealed: string, secret: string) => sealed === secret,
    sealer: (_tenantId: string, secret: string) => () => secret,
  } as unknown as WebhookSecretKeeper;
  const kind = new WebhookEndpointsByName(endpoints, {} as WebhookEndpointsService, keeper);
  const command = { tenantId: 't', name: 'hook', fields: FIELDS, managedBy: undefined, isDryRun: false };
  const service = new ApplyByName({} as ManagedResourceStore);
  const { changed_fields: changed } = await service.execute(kind, command);
  return { changed, rotations };
}

const OTHER_URL = 'https://example.com/other';

it.each<[string, string[], string, string[], (Rotation | null)[]]>([
  ['another secret', ['old'], VIEW.url, ['secret'], [{ from: 'old', to: 'new' }]],
  ['the same secret', ['new'], VIEW.url, [], []],
  ['the same secret and another URL', ['new'], OTHER_URL, ['url'], [null]],
  ['the secret that another request sets first', ['old', 'new'], VIEW.url, [], []],
  [
    'another one than a request sets first',
    ['old', 'third'],
    VIEW.url,
    ['secret'],
    [{ from: 'third', to: 'new' }],
  ],
  [
    'the secret and another URL, where a request sets the secret first',
    ['old', 'new'],
    OTHER_URL,
    ['url'],
    [null],
  ],
])('an endpoint by name with %s lists what it changed', async (_name, secrets, url, changed, rotations) => {
  expect(await applied(secrets, url)).toEqual({ changed, rotations });
});
