/** @source overcooked-ai 1.1.0, data/layouts/forced_coordination.layout */
export const forcedCoordination = `
XXXPX
O X1P
O2X X
D X X
XXXSX
`;
