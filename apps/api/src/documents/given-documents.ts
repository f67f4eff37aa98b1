import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mayBeCalled } from '#libs/guarded-fetch';
import { toStorableText } from '#libs/kernel';
import type { DocumentSource, Original } from '#libs/knowledge';
import type { z } from 'zod';
import { isForm } from '../http/multipart/form-body.js';
import { parseRequestPart } from '../http/request-validation.js';
import { nameOf, takeUpload, type UploadForm } from '../uploads/take-upload.js';
import { refusedUrl } from './documents.faults.js';
import { MOST_TITLE, type DocumentContent } from './documents.dto.js';
import { OriginalKeeper } from './original-keeper.js';

/** What a route that is given documents takes: the same fields, in a form beside its file, and in JSON. */
interface DocumentBody<Fields> extends UploadForm<Fields> {
  readonly json: z.ZodType<NoInfer<Fields> & DocumentContent>;
}

/** A document that came in: its fields are judged, and its original is kept. */
export interface GivenDocument<Fields> {
  readonly fields: Fields;
  readonly given: DocumentSource;
}

type Uploaded = Extract<DocumentSource, { original: Original }>;

const UNTITLED = 'Untitled';
/** Documents are fetched from public addresses, whatever the operator lets tools call. */
const NO_PRIVATE_HOSTS: Parameters<typeof mayBeCalled>[2] = [];

/** Takes in what requests give as documents, as far as a worker needs nothing more of the request. */
@Injectable()
export class GivenDocuments {
  constructor(private readonly originals: OriginalKeeper) {}

  /** Throws a fault that names the field; nothing is kept then. */
  take<Fields>(
    tenantId: string,
    request: FastifyRequest,
    body: DocumentBody<Fields>,
  ): Promise<GivenDocument<Fields>> {
    return isForm(request)
      ? this.takeForm(tenantId, request.raw, body)
      : this.takeJson(tenantId, request.body, body);
  }

  /** No document came of it. */
  async drop(given: DocumentSource): Promise<void> {
    if (given.source !== 'url') await this.originals.drop(given.original);
  }

  private async takeForm<Fields>(
    tenantId: string,
    request: IncomingMessage,
    body: DocumentBody<Fields>,
  ): Promise<GivenDocument<Fields>> {
    const { fields, file } = await takeUpload<Fields, Uploaded>(request, body, {
      mostBytes: this.originals.bounds.mostDocumentBytes,
      keep: async ({ bytes, announcedBytes, fileName, mediaType }, field) => {
        const original = await this.originals.keep({ tenantId, bytes, announcedBytes, field });
        return { source: 'upload', original, fileName: nameOf(fileName), mediaType: nameOf(mediaType) };
      },
      drop: (original) => this.originals.drop(original),
    });
    return { fields, given: file };
  }

  private async takeJson<Fields>(
    tenantId: string,
    body: unknown,
    { json }: DocumentBody<Fields>,
  ): Promise<GivenDocument<Fields>> {
    const fields = parseRequestPart(json, body ?? {}, 'body');
    const { text = '', media_type, url } = fields;
    if (url !== undefined) {
      if (!mayBeCalled(url, tenantId, NO_PRIVATE_HOSTS)) throw refusedUrl();
      return { fields, given: { source: 'url', url } };
    }
    const bytes = Buffer.from(text);
    const coming = { tenantId, bytes: one(bytes), announcedBytes: bytes.length, field: 'text' };
    const original = await this.originals.keep(coming);
    const mediaType = media_type ?? 'text/plain';
    return { fields, given: { source: 'text', original, fileName: null, mediaType } };
  }
}

/** Pure: the title of a document that was given none. */
export function titleOf(given: DocumentSource): string {
  const named = given.source === 'url' ? given.url : given.fileName;
  return toStorableText((named ?? '').trim().slice(0, MOST_TITLE)) || UNTITLED;
}

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
