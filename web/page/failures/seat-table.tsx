import { seriesColor } from '../charts/line.ts';
import { numberText } from '../parts/number-text.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import { actionText } from './moment-text.ts';
import { colorIndexOf, type ShownReplay } from './replay-course.ts';

interface Row {
  readonly seat: number;
}

/** Who sits where, and what each does and gets at this step. */
export function SeatTable({ replay, frame }: { readonly replay: ShownReplay; readonly frame: number }) {
  const rows = replay.seats.map((_, seat) => ({ seat }));
  return <Table caption="Seats" columns={columnsFor(replay, frame)} rows={rows} rowKey={({ seat }) => String(seat)} />;
}

function columnsFor(replay: ShownReplay, frame: number): readonly TableColumn<Row>[] {
  const now = replay.frames[frame];
  const next = replay.frames[frame + 1];
  const actionIn = (of: typeof now, seat: number) => {
    const action = of?.actions[seat];
    return action === undefined ? '–' : actionText(replay, action);
  };
  return [
    { key: 'seat', title: 'Seat', isRowHeader: true, cell: ({ seat }) => <SeatMark replay={replay} seat={seat} /> },
    { key: 'role', title: 'Role', cell: ({ seat }) => replay.seats[seat]!.role },
    { key: 'driver', title: 'Who acts', cell: ({ seat }) => replay.seats[seat]!.driver },
    { key: 'next', title: 'Does next', cell: ({ seat }) => actionIn(next, seat) },
    { key: 'reward', title: 'Last reward', isNumber: true, cell: ({ seat }) => numberText(now?.rewards[seat]) },
  ];
}

/** A seat as the picture shows it. */
function SeatMark({ replay, seat }: { readonly replay: ShownReplay; readonly seat: number }) {
  const isScripted = replay.seats[seat]!.is_scripted;
  return (
    <svg class="seat-mark" viewBox="-1 -1 2 2" role="img" aria-label={`seat ${seat}`}>
      <g
        class={`body body-seat${isScripted ? ' body-scripted' : ''}`}
        style={{ '--own': `var(${seriesColor(colorIndexOf(replay, seat))})` }}
      >
        <circle cx="0" cy="0" r="0.85" />
        <text x="0" y="0" font-size="1.1" text-anchor="middle" dominant-baseline="central">
          {seat}
        </text>
      </g>
    </svg>
  );
}
