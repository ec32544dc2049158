import { numberText } from '../parts/number-text.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import { actionText } from './moment-text.ts';
import { courseOf, type ShownReplay } from './replay-course.ts';

type Frame = ShownReplay['frames'][number];

/** The whole episode as numbers: a row for the start and for what came of each step. */
export function FrameTable({ replay }: { readonly replay: ShownReplay }) {
  const { rewards, returns } = courseOf(replay);
  const columns: readonly TableColumn<Frame>[] = [
    { key: 'step', title: 'Step', isNumber: true, isPinned: true, isRowHeader: true, cell: ({ step }) => step },
    { key: 'value', title: 'Critic’s value', isNumber: true, cell: ({ value }) => numberText(value) },
    { key: 'reward', title: 'Reward', isNumber: true, cell: ({ step }) => numberText(rewards[step]) },
    { key: 'return', title: 'Return so far', isNumber: true, cell: ({ step }) => numberText(returns[step]) },
    ...replay.seats.flatMap((_, seat): TableColumn<Frame>[] => [
      { key: `action ${seat}`, title: `Seat ${seat} did`, cell: ({ actions }) => doneText(replay, actions[seat]) },
      {
        key: `reward ${seat}`,
        title: `Seat ${seat} got`,
        isNumber: true,
        cell: (frame) => numberText(frame.rewards[seat]),
      },
    ]),
  ];
  return (
    <Table
      caption="The episode step by step"
      columns={columns}
      rows={replay.frames}
      rowKey={({ step }) => String(step)}
    />
  );
}

const doneText = (replay: ShownReplay, action: Frame['actions'][number] | undefined): string =>
  action === undefined ? '–' : actionText(replay, action);
