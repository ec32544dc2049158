import type { CatalogueEntry } from '../contract.ts';
import type { ScriptedPolicy } from './parameters.ts';

type Data = Readonly<Record<string, unknown>>;

function entry(summary: string, simulator: Data): CatalogueEntry {
  return { summary, simulator };
}

/** The player on seat 1 is scripted. */
function partnered(summary: string, name: ScriptedPolicy, numbers: Data = {}): CatalogueEntry {
  return entry(`Seat 1 ${summary}.`, { partners: { 1: { kind: 'scripted', name, ...numbers } } });
}

/** The built-in simulators. Levels and sight are those of the options unless an entry is about them. */
export const CATALOGUE: Readonly<Record<string, CatalogueEntry>> = {
  base: entry('The game of the package, as the options have it.', {}),
  near_sighted: entry('Players see one cell in each direction.', { rules: { sight: 1 } }),
  slippery: entry('One move in five is lost.', { rules: { move_success: 0.8 } }),
  stubborn: entry('Half of the loads that should succeed do not.', { rules: { load_success: 0.5 } }),
  penalized: entry('Loading with too few levels costs 0.1.', { rewards: { penalty: 0.1 } }),
  shared: entry('Every reward is spread over all players.', { rewards: { shared: 1 } }),
  easy: entry('All food has level 1.', { scenarios: { max_food_level: 1 } }),
  unequal: entry('Players have levels from 1 to 4.', { scenarios: { max_player_level: 4 } }),
  twins: entry('All players have level 1.', { scenarios: { max_player_level: 1 } }),
  blinking: entry('Three in ten observations are dropped.', { perturbations: { dropped_observations: 0.3 } }),
  sticky: entry('One action in four repeats the one before.', { perturbations: { sticky_actions: 0.25 } }),
  delayed: entry('Actions take effect one step late.', { perturbations: { action_delay: 1 } }),
  partner_idle: partnered('stays where it is', 'noop'),
  partner_random: partnered('acts at random', 'random'),
  partner_nearest: partnered('goes to its nearest food', 'nearest_food'),
  partner_central: partnered('goes to the food nearest to the centre of the players', 'central_food'),
  partner_modest: partnered('goes to the nearest food it can load alone', 'own_level_food'),
  partner_team: partnered('goes to the most central food that all players can load together', 'team_level_food'),
  partner_farthest: partnered('goes to its farthest food', 'farthest_food'),
  partner_highest: partnered('goes to the food of the highest level', 'highest_food'),
  partner_lowest: partnered('goes to the food of the lowest level', 'lowest_food'),
  partner_top: partnered('goes to the top-most food', 'topmost_food'),
  partner_bottom: partnered('goes to the bottom-most food', 'bottommost_food'),
  partner_left: partnered('goes to the left-most food', 'leftmost_food'),
  partner_right: partnered('goes to the right-most food', 'rightmost_food'),
  partner_follower: partnered('goes to the food nearest to another player', 'follow_partner'),
  partner_cooperative: partnered('goes to the most central food and makes way', 'cooperative_food'),
  partner_late: partnered('goes to its nearest food after ten idle steps', 'nearest_food', { lateness: 10 }),
  partner_slow: partnered('goes to its nearest food, idling every other step', 'nearest_food', { speed: 0.5 }),
  partner_erratic: partnered('goes to its nearest food, a third of its actions being random', 'nearest_food', {
    epsilon: 0.33,
  }),
};
