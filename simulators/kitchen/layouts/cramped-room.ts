/** @source overcooked-ai 1.1.0, data/layouts/cramped_room.layout */
export const crampedRoom = `
XXPXX
O  2O
X1  X
XDXSX
`;
