/** @source overcooked-ai 1.1.0, data/layouts/coordination_ring.layout */
export const coordinationRing = `
XXXPX
X 1 P
D2X X
O   X
XOSXX
`;
