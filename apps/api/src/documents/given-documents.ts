import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { mayBeCalled } from '#libs/guarded-fetch';
import { toStorableText } from '#libs/kernel';
import type { DocumentSource, Original } from '#libs/knowledge';
import type { FormFile } from '../http/multipart/form-shape.js';
import { readForm } from '../http/multipart/read-form.js';
import { refusedUrl } from './documents.faults.js';
import { MOST_TITLE, type DocumentGivenDto } from './documents.dto.js';
import { OriginalKeeper } from './original-keeper.js';

/** A document that came in, its original kept. */
export interface GivenDocument {
  /** Null where whoever gives it leaves it open. */
  readonly title: string | null;
  readonly given: DocumentSource;
}

/** A form that came in, its file kept. `fields` are still to be judged. */
export interface GivenForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly given: Uploaded;
}
type Uploaded = Extract<DocumentSource, { original: Original }>;

/** Of a field that holds digits. */
const MOST_ID_BYTES = 20;
/** A character takes up to four. */
const MOST_TITLE_BYTES = MOST_TITLE * 4;
const UNTITLED = 'Untitled';
/** Documents are fetched from public addresses, whatever the operator lets tools call. */
const NO_PRIVATE_HOSTS: Parameters<typeof mayBeCalled>[2] = [];

/** Takes in what requests give as documents, as far as a worker needs nothing more of the request. */
@Injectable()
export class GivenDocuments {
  constructor(private readonly originals: OriginalKeeper) {}

  /** Throws a fault of the form or its file; nothing is kept then. */
  async readForm(tenantId: string, request: IncomingMessage): Promise<GivenForm> {
    const { mostDocumentBytes: mostBytes } = this.originals.bounds;
    const shape = {
      fields: { datasource_id: MOST_ID_BYTES, title: MOST_TITLE_BYTES },
      file: { name: 'file', mostBytes },
    };
    let kept: Original | null = null;
    const keepFile = async ({ bytes, fileName, mediaType }: FormFile): Promise<Uploaded> => {
      const original = await this.originals.keep(tenantId, bytes, shape.file.name);
      kept = original;
      return { source: 'upload', original, fileName: storable(fileName), mediaType: storable(mediaType) };
    };
    try {
      const { fields, file } = await readForm(request, shape, keepFile);
      return { fields, given: file };
    } catch (error) {
      if (kept !== null) await this.originals.drop(kept);
      throw error;
    }
  }

  /** Throws where the URL may not be called. */
  async readJson(
    tenantId: string,
    { text, media_type, url }: Pick<DocumentGivenDto, 'text' | 'media_type' | 'url'>,
  ): Promise<DocumentSource> {
    if (url !== undefined) {
      if (!mayBeCalled(url, tenantId, NO_PRIVATE_HOSTS)) throw refusedUrl();
      return { source: 'url', url };
    }
    const original = await this.originals.keep(tenantId, bytesOf(text ?? ''), 'text');
    return { source: 'text', original, fileName: null, mediaType: media_type ?? 'text/plain' };
  }

  /** No document came of it. */
  async drop(given: DocumentSource): Promise<void> {
    if (given.source !== 'url') await this.originals.drop(given.original);
  }
}

/** Pure: the title of a document that was given none. */
export function titleOf(given: DocumentSource): string {
  const named = given.source === 'url' ? given.url : given.fileName;
  return toStorableText((named ?? '').trim().slice(0, MOST_TITLE)) || UNTITLED;
}

function storable(text: string | null): string | null {
  return text === null ? null : toStorableText(text.slice(0, MOST_TITLE));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}
