import type { Episode } from '../../web/replay/episode.ts';
import { widenedView } from '../../web/replay/widened-view.ts';
import { COLORS } from './looks.ts';
import { panelHeight, renderPanel } from './panel.ts';
import { renderScene } from './scene.ts';
import { element, escapeXml, textElement } from './svg.ts';
import { Timeline } from './timeline.ts';

/** Pixels. The scene has this width, and the height that its world needs. */
const SCENE_WIDTH = 480;
const PANEL_WIDTH = 250;
const MARGIN = 24;
const HEAD_HEIGHT = 68;
const CAPTION_HEIGHT = 16;
/** Characters of the caption in a line. */
const CAPTION_LENGTH_MAX = 76;

/**
 * An episode as an animated SVG that loops: no script, only SMIL, which browsers play and pages may embed as an image. A
 * viewer that does not animate shows the start. The text grows with frames times shapes.
 */
export function renderSvg(episode: Episode): string {
  const timeline = new Timeline(episode.frames.length);
  const view = widenedView(episode);
  const scene = {
    left: MARGIN,
    top: HEAD_HEIGHT,
    width: SCENE_WIDTH,
    height: (SCENE_WIDTH * view.height) / view.width,
  };
  const panel = { left: MARGIN + SCENE_WIDTH + MARGIN, top: HEAD_HEIGHT, width: PANEL_WIDTH, height: 0 };
  const caption = linesOf(episode.caption);
  const bottom = HEAD_HEIGHT + scene.height + 8 + caption.length * CAPTION_HEIGHT;
  const width = panel.left + panel.width + MARGIN;
  const height = Math.ceil(Math.max(bottom, HEAD_HEIGHT + panelHeight(episode)) + MARGIN / 2);
  const captionTop = HEAD_HEIGHT + scene.height + 18;
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'font-family': 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif',
      fill: COLORS.ink,
    },
    element('title', {}, escapeXml(`${episode.title}, ${episode.subtitle}`)),
    element('rect', { width, height, fill: COLORS.page }),
    textElement(episode.title, { x: MARGIN, y: 32, 'font-size': 20, 'font-weight': 'bold' }),
    textElement(episode.subtitle, { x: MARGIN, y: 54, 'font-size': 14, fill: COLORS.faintInk }),
    renderScene(episode, view, scene, timeline),
    ...caption.map((line, index) =>
      textElement(line, { x: MARGIN, y: captionTop + index * CAPTION_HEIGHT, 'font-size': 12, fill: COLORS.faintInk }),
    ),
    renderPanel(episode, panel, timeline),
  )}\n`;
}

/** The caption in lines that fit below the scene. */
function linesOf(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)!} ${word}`.trim();
    if (line.length <= CAPTION_LENGTH_MAX) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}
