import type { AppConfig, KnowledgeConfig } from '#libs/config';

/** Throws where this process keeps no documents: `DocumentsModule` is imported only where it does. */
export function requireKnowledge({ knowledge }: Pick<AppConfig, 'knowledge'>): KnowledgeConfig {
  if (knowledge === null) throw new Error('documents are taken in only where there is a place to keep them');
  return knowledge;
}
