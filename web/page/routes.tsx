import type { ComponentType } from 'preact';
import { ComparisonView } from './experiment/comparison-view.tsx';
import { CurvesView } from './experiment/curves-view.tsx';
import { DiagnosisView } from './experiment/diagnosis-view.tsx';
import { MatricesView } from './experiment/matrices-view.tsx';
import { OverviewView } from './experiment/overview-view.tsx';
import { ReturnsView } from './experiment/returns-view.tsx';
import { SensitivityView } from './experiment/sensitivity-view.tsx';
import { SpecView } from './experiment/spec-view.tsx';
import { ExperimentRunsView, RunsView } from './experiments/runs-view.tsx';
import { ExperimentsView } from './experiments/experiments-view.tsx';
import { FailuresView } from './failures/failures-view.tsx';
import { ReplayView } from './failures/replay-view.tsx';
import { RunView } from './run/run-view.tsx';
import type { ViewProps } from './view.ts';

/** Every address of the page and its view. */
export const ROUTES: readonly (readonly [pattern: string, view: ComponentType<ViewProps>])[] = [
  ['', ExperimentsView],
  ['/experiments', ExperimentsView],
  ['/runs', RunsView],
  ['/experiments/:experiment', OverviewView],
  ['/experiments/:experiment/runs', ExperimentRunsView],
  ['/experiments/:experiment/curves', CurvesView],
  ['/experiments/:experiment/returns', ReturnsView],
  ['/experiments/:experiment/comparison', ComparisonView],
  ['/experiments/:experiment/sensitivity', SensitivityView],
  ['/experiments/:experiment/matrices', MatricesView],
  ['/experiments/:experiment/diagnosis', DiagnosisView],
  ['/experiments/:experiment/failures', FailuresView],
  ['/experiments/:experiment/spec', SpecView],
  ['/failures/:failure', ReplayView],
  ['/runs/:run', RunView],
  ['/runs/:run/:part', RunView],
];
