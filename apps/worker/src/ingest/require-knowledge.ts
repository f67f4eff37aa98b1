import type { AppConfig, KnowledgeConfig } from '#libs/config';

/** Throws if no document storage is configured: `DocumentsModule` is imported only with one. */
export function requireKnowledge({ knowledge }: Pick<AppConfig, 'knowledge'>): KnowledgeConfig {
  if (knowledge === null) throw new Error('documents are taken in only where there is a place to keep them');
  return knowledge;
}
