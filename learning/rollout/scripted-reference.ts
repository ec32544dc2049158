import type { SimulatorData, World } from '../../simulators/contract.ts';

/** The simulator with the scripted reference on the given seats; a seat whose role has no such policy stays as it is. */
export function withScriptedReference(world: World, simulator: SimulatorData, seats: readonly number[]): SimulatorData {
  return seats.reduce((played, seat) => {
    const role = world.groups.find((group) => group.seats.includes(seat));
    const reference = { kind: 'scripted', name: role?.scriptedReference ?? world.scriptedReference };
    const parsed = world.simulatorSchema.safeParse({ ...played, partners: { ...played.partners, [seat]: reference } });
    return parsed.success ? parsed.data : played;
  }, simulator);
}
