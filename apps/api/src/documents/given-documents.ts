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
import { refusedUrl } from './documents.errors.js';
import { MAX_TITLE, type DocumentContent } from './documents.dto.js';
import { OriginalKeeper } from './original-keeper.js';

/** Schemas of a route that accepts documents: the same fields beside a file in a form, and in JSON. */
interface DocumentBody<Fields> extends UploadForm<Fields> {
  readonly json: z.ZodType<NoInfer<Fields> & DocumentContent>;
}

/** A received document with validated fields and a stored original. */
export interface GivenDocument<Fields> {
  readonly fields: Fields;
  readonly given: DocumentSource;
}

type Uploaded = Extract<DocumentSource, { original: Original }>;

const UNTITLED = 'Untitled';
/** Documents are fetched from public addresses only; hosts that the operator allows for tools do not count. */
const NO_PRIVATE_HOSTS: Parameters<typeof mayBeCalled>[2] = [];

/** Receives documents from requests and stores their originals, so that workers need nothing else of the request. */
@Injectable()
export class GivenDocuments {
  constructor(private readonly originals: OriginalKeeper) {}

  /** Throws an error that names the field, and then keeps nothing. */
  take<Fields>(
    tenantId: string,
    request: FastifyRequest,
    body: DocumentBody<Fields>,
  ): Promise<GivenDocument<Fields>> {
    return isForm(request)
      ? this.takeForm(tenantId, request.raw, body)
      : this.takeJson(tenantId, request.body, body);
  }

  /** Deletes the stored original of a document that was not created. */
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

/** Pure: the default title of a document, from its URL or file name. */
export function titleOf(given: DocumentSource): string {
  const named = given.source === 'url' ? given.url : given.fileName;
  return toStorableText((named ?? '').trim().slice(0, MAX_TITLE)) || UNTITLED;
}

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
