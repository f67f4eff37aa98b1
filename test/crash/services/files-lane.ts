import { request as openRequest } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueueBackend } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';
import { CrashLane } from './crash-lane.js';
import type { FailpointBoard, Trap } from './failpoint-board.js';
import { openWhole } from '../../support/services/open-whole.js';

interface RecordedRequest {
  readonly endpoint: string;
  readonly body: { readonly input: readonly { readonly role?: string }[] };
}

/** A lane with an agent that repeats the prompt of its model, without images. */
export class FilesLane {
  private constructor(
    private readonly lane: CrashLane,
    private readonly folder: string,
    private readonly agentId: number,
  ) {}

  static open(backend: QueueBackend): Promise<FilesLane> {
    return openWhole(async (begun) => {
      const folder = await mkdtemp(join(tmpdir(), 'uploads-'));
      begun({ close: () => rm(folder, { recursive: true, force: true }) });
      const lane = begun(await CrashLane.open(backend, { DOCUMENTS_ROOT: folder }));
      const extra = { native_media: ['image'] };
      const llm = await made(lane, '/api/llms/', { name: 'Echo', model: 'sim-echo', extra });
      const reader = { name: 'Reader', usecase_type: 'BASIC_CHAT', llm };
      return new FilesLane(lane, folder, await made(lane, '/api/agents/', reader));
    });
  }

  get board(): FailpointBoard {
    return this.lane.board;
  }

  async upload(name: string, bytes: string | Buffer): Promise<{ readonly id: string }> {
    const form = new FormData();
    form.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
    const response = await fetch(`${this.lane.api.url}/api/files/`, { method: 'POST', body: form });
    if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
    const { id } = (await response.json()) as { id: string };
    return { id };
  }

  async ask(input: string, attachments: readonly object[]): Promise<string> {
    await this.control('DELETE', '');
    return (await this.lane.submit({ input, additional_data: { attachments } }, this.agentId)).id;
  }

  async answerOf(id: string): Promise<string | undefined> {
    return (await this.lane.api.settled(id)).result?.message.content;
  }

  /** The user messages of each request to the model so far. */
  async takeQuestions(): Promise<readonly string[]> {
    const answer = await this.control('GET', '/requests');
    const { requests } = (await answer.json()) as { readonly requests: readonly RecordedRequest[] };
    const asked = requests.filter(({ endpoint }) => endpoint === 'responses');
    return asked.map(({ body }) => JSON.stringify(body.input.filter(({ role }) => role === 'user')));
  }

  /** Kills the process that is held at the failpoint, after its successor has started. */
  async killAt(trap: Trap): Promise<void> {
    await this.kill(await trap.catch(1));
    this.lane.board.disarm(trap);
  }

  /** Kills the API once a part of an upload has arrived. */
  async killWhileUploading(): Promise<void> {
    const { url } = this.lane.api;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const upload = openRequest(`${url}/api/files/`, { method: 'POST', headers });
    upload.on('error', () => undefined);
    upload.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
    upload.write('x'.repeat(100_000));
    const isThere = async () => {
      const [key] = await this.announcedBlobs();
      return key !== undefined && (await this.filesOf(key)).length > 0;
    };
    await waitFor(isThere, { description: 'a part of the file' });
    await this.kill(new Set([this.lane.apiProcess.pid]));
    upload.destroy();
  }

  async list(): Promise<unknown> {
    return this.lane.api.get('/api/files/');
  }

  async announcedBlobs(): Promise<readonly string[]> {
    const sql = 'SELECT blob_key FROM blob_disposal WHERE due_at > now()';
    const { rows } = await this.lane.database.query<{ blob_key: string }>(sql);
    return rows.map(({ blob_key }) => blob_key);
  }

  /** The names of the files of a blob. */
  async filesOf(blobKey: string): Promise<readonly string[]> {
    const [tenant = '', id = ''] = blobKey.split('/');
    const names = await readdir(join(this.folder, tenant)).catch(() => []);
    return names.filter((name) => name.startsWith(id));
  }

  /** Makes the announced blobs due now, in place of after an hour. */
  async endAnnouncements(): Promise<void> {
    await this.lane.database.query('UPDATE blob_disposal SET due_at = now()');
  }

  async untilRemoved(blobKey: string): Promise<void> {
    const isGone = async () => (await this.filesOf(blobKey)).length === 0;
    await waitFor(isGone, { description: 'what is left of the file to be removed' });
  }

  async close(): Promise<void> {
    await this.lane.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async kill(pids: ReadonlySet<number>): Promise<void> {
    for (const { process } of await this.lane.freezeAndReplace(pids)) await process.kill();
  }

  private control(method: string, path: string): Promise<Response> {
    return fetch(`${this.lane.deployment.simulatorUrl}/__control${path}`, { method });
  }
}

async function made({ api }: CrashLane, path: string, fields: object): Promise<number> {
  const response = await api.post(path, fields);
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: number }).id;
}
