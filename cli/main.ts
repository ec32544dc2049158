import { createProgram } from './program.ts';
import { reportError } from './errors/report-error.ts';

// Whoever reads our output may stop reading: `thaw results @latest | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
