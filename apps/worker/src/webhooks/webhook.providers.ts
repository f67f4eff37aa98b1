export const webhookProviders = [];
