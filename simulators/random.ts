/** 64 bits that name one stream of random numbers. Both halves are unsigned 32-bit integers. */
export interface Key {
  readonly high: number;
  readonly low: number;
}
