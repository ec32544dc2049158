import type { Configuration } from '../../infra/configuration.ts';
import type { Services } from '../../infra/services/supervisor-client.ts';
import { ThawError } from '../../schemas/errors.ts';
import { takeServices } from '../services/service-session.ts';

/**
 * A lease on the services of a home that is taken again after a kill of their supervisor, as the next command of a user
 * would take it. That the services give up by themselves is an error.
 */
export class KeptServices {
  readonly #configuration: Configuration;
  #services: Services;
  #failure: ThawError | null = null;

  private constructor(configuration: Configuration, services: Services) {
    this.#configuration = configuration;
    this.#services = services;
    this.#watch();
  }

  static async take(configuration: Configuration): Promise<KeptServices> {
    return new KeptServices(configuration, await takeServices(configuration));
  }

  /** Brings back what was killed. @throws WORLD_SUPERVISOR_UNAVAILABLE when it is at another address then */
  async takeAgain(): Promise<void> {
    const before = this.#services;
    this.#services = await takeServices(this.#configuration);
    this.#failure = null;
    before.release();
    this.#watch();
    if (this.#services.databaseUrl !== before.databaseUrl)
      throw new ThawError('WORLD_SUPERVISOR_UNAVAILABLE', 'Another program took the port of the killed Postgres.');
  }

  /** @throws why the services were lost, unless they were taken again since */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  release(): void {
    this.#services.release();
  }

  #watch(): void {
    const services = this.#services;
    void services.lost.then((error) => {
      if (services === this.#services) this.#failure = error;
    });
  }
}
