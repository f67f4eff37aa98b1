import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { datasourceSearchOf, documentSearchOf } from './knowledge-search.js';

const knowledgeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/knowledge',
  component: lazyRouteComponent(() => import('./knowledge-screen.js'), 'KnowledgeScreen'),
});

const datasourceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/knowledge/$id',
  validateSearch: datasourceSearchOf,
  component: lazyRouteComponent(() => import('./datasource-screen.js'), 'DatasourceScreen'),
});

const documentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/knowledge/documents/$id',
  validateSearch: documentSearchOf,
  component: lazyRouteComponent(() => import('./document/document-screen.js'), 'DocumentScreen'),
});

/** Datasources, one datasource, one document. */
export const knowledgeRoutes = [knowledgeRoute, datasourceRoute, documentRoute] as const;
