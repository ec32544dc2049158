/** @source overcooked-ai 1.1.0, data/layouts/asymmetric_advantages.layout */
export const asymmetricAdvantages = `
XXXXXXXXX
O XSXOX S
X   P 1 X
X2  P   X
XXXDXDXXX
`;
