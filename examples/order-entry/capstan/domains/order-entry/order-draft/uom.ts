/** Units an item is sold by: case, each, pounds. */
export const STOCK_UOMS = ['CS', 'Ea', 'Lbs'] as const;
export type StockUom = (typeof STOCK_UOMS)[number];

/** Units of an order line; `''` when the customer named no unit. */
export const ORDER_UOMS = [...STOCK_UOMS, ''] as const;
