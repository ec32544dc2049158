import { Hono } from 'hono';
import { ORDERS, type Order } from './contract/server.ts';
import { refuseOtherOrigins } from './access.ts';
import { answerJson, answerProblem } from './answers.ts';

/** What an order is about: an experiment by its id, or a run as EXPERIMENT/VARIANT/SEED. */
export interface Ordered {
  readonly kind: 'experiment' | 'run';
  readonly id: string;
}

/** Carries orders out. Whoever starts the server hands it in. */
export interface Control {
  /** @returns what came of it, in a sentence */
  give(order: Order, about: Ordered): Promise<string>;
}

/** Takes orders; where there is no control, it refuses them and says how to get it. */
export function createOrders(control: Control | null): Hono {
  const app = new Hono();
  for (const kind of ['experiment', 'run'] as const) {
    app.post(`/${kind}s/:id/:order`, refuseOtherOrigins(), async (c, next) => {
      const order = ORDERS.find((known) => known === c.req.param('order'));
      if (order === undefined) return next();
      const id = c.req.param('id');
      if (control !== null) return answerJson(c, { message: await control.give(order, { kind, id }) });
      return answerProblem(c, 403, {
        code: 'REQUEST_NOT_ALLOWED',
        message: 'This server takes no orders.',
        remedy: `Start it with \`thaw ui --allow-control\`, or call \`thaw ${order} ${id}\`.`,
      });
    });
  }
  return app;
}
