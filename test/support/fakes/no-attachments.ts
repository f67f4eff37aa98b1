import { AttachmentReader } from '#libs/executions';

/** For requests without files. */
class NoAttachments extends AttachmentReader {
  override readBytes(): Promise<Buffer> {
    return Promise.reject(new Error('nothing is to be read'));
  }

  override readText(): Promise<never> {
    return Promise.reject(new Error('nothing is to be read'));
  }
}

export const NO_ATTACHMENTS = new NoAttachments();
