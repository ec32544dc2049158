import { asymmetricAdvantages } from './asymmetric-advantages.ts';
import { coordinationRing } from './coordination-ring.ts';
import { counterCircuit } from './counter-circuit.ts';
import { counterCircuitTomato } from './counter-circuit-tomato.ts';
import { crampedRoom } from './cramped-room.ts';
import { forcedCoordination } from './forced-coordination.ts';

/**
 * The drawings that are built in, in the order of the numbers that stand for them in simulators: so the order never
 * changes, and new ones are appended.
 */
export const DRAWINGS: Readonly<Record<string, string>> = {
  cramped_room: crampedRoom,
  asymmetric_advantages: asymmetricAdvantages,
  coordination_ring: coordinationRing,
  forced_coordination: forcedCoordination,
  counter_circuit: counterCircuit,
  counter_circuit_tomato: counterCircuitTomato,
};
