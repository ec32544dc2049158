// Writes artifacts into the folder named until it is killed; it tells of each when it is stored.
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';

const BYTES = 2_000_000;
const store = createFolderStore(process.argv[2]!);
for (let count = 0; ; count += 1) {
  const { hash } = await store.write(new Uint8Array(BYTES).fill(count));
  process.stdout.write(`${hash}\n`);
}
