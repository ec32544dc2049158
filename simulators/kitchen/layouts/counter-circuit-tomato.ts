/** With tomatoes. @source overcooked-ai 1.1.0, data/layouts/counter_circuit.layout */
export const counterCircuitTomato = `
XXXPDPXXX
X   2   X
X XXXXX X
X   1   X
XXXOSTXXX
`;
