/**
 * Makes a checksum of 32 bits.
 * @param polynomial reflected: 0x82f63b78 is Castagnoli's (CRC-32C), 0xedb88320 that of IEEE 802.3, zlib and gzip
 */
export function createCrc32(polynomial: number): (bytes: Uint8Array) => number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
    return crc >>> 0;
  });
  return (bytes) => {
    let crc = 0xffffffff;
    for (const byte of bytes) crc = (crc >>> 8) ^ table[(crc ^ byte) & 0xff]!;
    return (crc ^ 0xffffffff) >>> 0;
  };
}
