import { useEffect, useRef, useState } from 'preact/hooks';

/** Steps that are played in a second at speed 1. */
const STEPS_PER_S = 4;

export interface Player {
  /** Where the episode is, from 0 to the last frame; between frames while it plays. */
  readonly position: number;
  /** The frame that is reached. */
  readonly frame: number;
  readonly isPlaying: boolean;
  readonly speed: number;
  readonly toggle: () => void;
  /** Goes to a frame and stays there. */
  readonly seek: (frame: number) => void;
  readonly setSpeed: (speed: number) => void;
}

export const wantsCalm = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

interface PlayerOptions {
  readonly frameCount: number;
  readonly startFrame: number;
  readonly isPlayingAtFirst: boolean;
}

/** Plays frames one after the other, and stops at the last. Where motion is unwelcome it goes from frame to frame. */
export function usePlayer({ frameCount, startFrame, isPlayingAtFirst }: PlayerOptions): Player {
  const last = frameCount - 1;
  const within = (position: number) => Math.min(last, Math.max(0, position));
  const [position, setPosition] = useState(() => within(startFrame));
  const [isPlaying, setIsPlaying] = useState(isPlayingAtFirst && last > 0);
  const [speed, setSpeed] = useState(1);
  const now = useRef(position);
  const show = (next: number) => {
    now.current = within(next);
    setPosition(now.current);
  };
  useEffect(() => {
    if (!isPlaying) return;
    let beforeMs = performance.now();
    let request = requestAnimationFrame(function advance(nowMs) {
      show(now.current + (Math.max(0, nowMs - beforeMs) / 1000) * STEPS_PER_S * speed);
      beforeMs = nowMs;
      if (now.current >= last) setIsPlaying(false);
      else request = requestAnimationFrame(advance);
    });
    return () => cancelAnimationFrame(request);
  }, [isPlaying, speed, last]);
  const frame = Math.floor(position);
  return {
    position: wantsCalm() ? frame : position,
    frame,
    isPlaying,
    speed,
    setSpeed,
    toggle() {
      if (!isPlaying && now.current >= last) show(0);
      if (isPlaying) show(Math.floor(now.current));
      setIsPlaying(!isPlaying);
    },
    seek(next) {
      setIsPlaying(false);
      show(Math.round(next));
    },
  };
}
