import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { deliveryViewOf, webhooksViewOf } from './webhooks-search.js';

const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  validateSearch: webhooksViewOf,
  component: lazyRouteComponent(() => import('./webhooks-screen.js'), 'WebhooksScreen'),
});

const endpointRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$id',
  validateSearch: deliveryViewOf,
  component: lazyRouteComponent(() => import('./endpoint/endpoint-screen.js'), 'EndpointScreen'),
});

/** Endpoints and deliveries, one endpoint. */
export const webhookRoutes = [webhooksRoute, endpointRoute] as const;
