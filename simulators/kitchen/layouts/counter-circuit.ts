/** The one of the paper. @source overcooked-ai 1.1.0, data/layouts/counter_circuit_o_1order.layout */
export const counterCircuit = `
XXXPPXXX
X  2   X
D XXXX S
X  1   X
XXXOOXXX
`;
