import { OutageScene } from './outage-scene.ts';
import { startTestPostgres, type TestPostgres } from './postgres.ts';
import { startTestTemporal, type TestTemporal } from './temporal.ts';

/** Servers on which scenes of one experiment are played side by side, and the scene to which nothing happens. */
export class OutageStage {
  /** The scene that was left alone, when its runs are over. */
  readonly undisturbed: Promise<OutageScene>;
  private readonly servers: { readonly postgres: TestPostgres; readonly temporal: TestTemporal };
  private readonly experiment: readonly string[];
  private readonly scenes: OutageScene[] = [];

  private constructor(servers: OutageStage['servers'], experiment: readonly string[]) {
    this.servers = servers;
    this.experiment = experiment;
    this.undisturbed = this.leaveAlone();
    // Whoever compares with it is told.
    this.undisturbed.catch(() => undefined);
  }

  /** @param experiment overrides of `experiments/chaos.json` */
  static async start(experiment: readonly string[]): Promise<OutageStage> {
    const [postgres, temporal] = await Promise.all([startTestPostgres(), startTestTemporal()]);
    return new OutageStage({ postgres, temporal }, experiment);
  }

  async open(name: string): Promise<OutageScene> {
    const scene = await OutageScene.open(this.servers, name, this.experiment);
    this.scenes.push(scene);
    return scene;
  }

  async stop(): Promise<void> {
    await Promise.all(this.scenes.map((scene) => scene.close()));
    await Promise.all([this.servers.postgres.stop(), this.servers.temporal.stop()]);
  }

  private async leaveAlone(): Promise<OutageScene> {
    const scene = await this.open('undisturbed');
    scene.startWorker();
    await scene.untilOver();
    return scene;
  }
}
