import type { StateNames } from '../../infra/onnx/policy-ports.ts';
import { formatProblems } from '../../specification/format-problems.ts';
import { durationText } from '../../web/documents/quantity-text.ts';
import { createDrawnLine } from '../terminal/drawn-line.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { csvText, type ListingFormat } from '../table-formats/listing.ts';
import { note, print } from '../terminal/terminal.ts';
import { SIMULATOR_COLUMNS, simulatorResults } from './evaluation-columns.ts';
import { evaluationDocument } from './evaluation-document.ts';
import { evaluationText } from './evaluation-text.ts';
import { type Evaluated, evaluatePolicies } from './evaluate-policies.ts';
import { type PanelRequest, readPanel } from './read-panel.ts';
import type { PolicyArgument } from './seat-policies.ts';
import { writeEvaluation } from './write-evaluation.ts';

export interface EvaluationRequest extends PanelRequest {
  readonly policies: readonly PolicyArgument[];
  readonly states: StateNames;
  /** Folder that files are written to. */
  readonly out: string | undefined;
  readonly format: ListingFormat;
}

/** Judges policies by panels, prints what was found, and writes it where that was asked for. */
export async function showEvaluation(request: EvaluationRequest): Promise<ExitCode> {
  const panel = await readPanel(request);
  if ('problems' in panel) {
    note(`${formatProblems(request.panel, panel.problems)}\n`);
    return EXIT.request;
  }
  const { show, close } = await createDrawnLine();
  const startedMs = performance.now();
  const onProgress = (played: number, count: number): void => {
    const leftMs = ((performance.now() - startedMs) * (count - played)) / Math.max(1, played);
    show(`${played} of ${count} episodes played, about ${durationText(leftMs / 1000)} left`);
  };
  const { policies, states } = request;
  const evaluated = await evaluatePolicies(panel, policies, { states, onProgress }).finally(close);
  print(evaluationIn(evaluated, request.format));
  if (request.out !== undefined) await writeEvaluation(request.out, evaluated);
  return EXIT.done;
}

function evaluationIn(evaluated: Evaluated, format: ListingFormat): string {
  if (format === 'csv') return csvText(SIMULATOR_COLUMNS, simulatorResults(evaluated));
  return format === 'json' ? jsonText(evaluationDocument(evaluated), 2) : evaluationText(evaluated);
}
