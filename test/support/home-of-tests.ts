import { inPrivateHome } from '../../cli/bench/private-home.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';

/** Services of their own for the tests of one file. */
export interface HomeOfTests {
  readonly session: ServiceSession;
  /** Ends the services; nothing is left of them. */
  end(): Promise<void>;
}

export async function startHomeOfTests(): Promise<HomeOfTests> {
  return new Promise((resolve, reject) => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((settle) => (finish = settle));
    const home: Promise<void> = inPrivateHome(async (session) => {
      resolve({
        session,
        end: async () => {
          finish();
          await home;
        },
      });
      await finished;
    });
    home.catch(reject);
  });
}
