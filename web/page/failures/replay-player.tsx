import { useEffect } from 'preact/hooks';
import { Choice } from '../parts/choice.tsx';
import { placeWith } from '../router.ts';
import { Scene } from './scene.tsx';
import { SeatTable } from './seat-table.tsx';
import { TimeLine } from './time-line.tsx';
import { momentOf, type ShownReplay } from './replay-course.ts';
import { usePlayer, wantsCalm, type Player } from './use-player.ts';

const SPEEDS = [0.25, 0.5, 1, 2, 4].map((speed) => [String(speed), `× ${speed}`] as const);

/** The episode as it happens. It starts by itself only where motion is welcome and no step is asked for. */
export function ReplayPlayer({ replay }: { readonly replay: ShownReplay }) {
  const asked = stepAsked();
  const player = usePlayer({
    frameCount: replay.frames.length,
    startFrame: asked ?? 0,
    isPlayingAtFirst: asked === null && !wantsCalm(),
  });
  const moment = momentOf(replay);
  useStepInAddress(player);
  return (
    <section class="replay" aria-label="The episode">
      <div
        class="replay-scene"
        role="group"
        tabIndex={0}
        aria-label="Picture of the episode. Space plays and pauses, arrow keys step, M goes to the key moment."
        onKeyDown={(event) => pressed(event, player, replay)}
      >
        <Scene
          replay={replay}
          position={player.position}
          label={`${stepText(replay, player.frame)}. ${replay.caption}`}
        />
      </div>
      <div class="replay-side">
        <p class="replay-step">
          <strong>{stepText(replay, player.frame)}</strong>
        </p>
        <Controls player={player} last={replay.frames.length - 1} moment={moment} />
        <input
          class="replay-slider"
          type="range"
          min={0}
          max={replay.frames.length - 1}
          step={1}
          value={player.frame}
          aria-label="Step of the episode"
          aria-valuetext={stepText(replay, player.frame)}
          onInput={(event) => player.seek(Number(event.currentTarget.value))}
        />
        <TimeLine replay={replay} position={player.position} onSeek={player.seek} />
        <SeatTable replay={replay} frame={player.frame} />
        <p class="about">
          {replay.caption} {moment !== null && 'A ring is where a seat is at the key moment. '}The thin line is the way
          of a seat. A broken edge marks who is scripted.
        </p>
      </div>
    </section>
  );
}

interface ControlsProps {
  readonly player: Player;
  readonly last: number;
  readonly moment: number | null;
}

function Controls({ player, last, moment }: ControlsProps) {
  const { frame, isPlaying, speed } = player;
  return (
    <div class="tools replay-controls">
      <button type="button" class="replay-play" onClick={player.toggle}>
        {isPlaying ? 'Pause' : frame >= last ? 'Play again' : 'Play'}
      </button>
      <button type="button" onClick={() => player.seek(frame - 1)} disabled={frame === 0}>
        Step back
      </button>
      <button type="button" onClick={() => player.seek(frame + 1)} disabled={frame >= last}>
        Step
      </button>
      {moment !== null && (
        <button type="button" onClick={() => player.seek(moment)}>
          Key moment
        </button>
      )}
      <Choice
        label="Speed"
        value={String(speed)}
        options={SPEEDS}
        onChoose={(value) => player.setSpeed(Number(value))}
      />
    </div>
  );
}

/** Where the episode is, and what is special about it. */
function stepText(replay: ShownReplay, frame: number): string {
  const { frames, ending } = replay;
  const last = frames.length - 1;
  const told = `Step ${frame} of ${last}`;
  if (frame === momentOf(replay)) return `${told}: key moment`;
  return frame === last ? `${told}: ${ending}` : told;
}

function pressed(event: KeyboardEvent, player: Player, { frames, failure }: ShownReplay): void {
  const keys: Readonly<Record<string, () => void>> = {
    ' ': player.toggle,
    ArrowLeft: () => player.seek(player.frame - 1),
    ArrowRight: () => player.seek(player.frame + 1),
    Home: () => player.seek(0),
    End: () => player.seek(frames.length - 1),
    m: () => player.seek(failure.key_moment),
  };
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
}

/** The step that the address names, so that one can point somebody to it. */
function stepAsked(): number | null {
  const text = new URLSearchParams(location.search).get('step');
  return text === null || !/^\d{1,6}$/.test(text) ? null : Number(text);
}

/** The address follows where one stops; while it plays it stays. The view itself must not be told of it. */
function useStepInAddress({ frame, isPlaying }: Player): void {
  useEffect(() => {
    if (!isPlaying) history.replaceState(null, '', placeWith({ step: String(frame) }));
  }, [frame, isPlaying]);
}
