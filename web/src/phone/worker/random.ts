const mask = (1n << 64n) - 1n;

/** SplitMix64: the source of payloads, messages and random arrivals in every language (worker.proto). */
export class SplitMix64 {
  private state: bigint;

  constructor(seed: bigint) {
    this.state = seed & mask;
  }

  /** Returns the next word, 0 to 2^64 - 1. */
  word(): bigint {
    this.state = (this.state + 0x9E3779B97F4A7C15n) & mask;
    let z = this.state;
    z = ((z ^ (z >> 30n)) * 0xBF58476D1CE4E5B9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94D049BB133111EBn) & mask;
    return z ^ (z >> 31n);
  }

  /** Returns a number in [0, 1) from the word's upper 53 bits. */
  unit(): number {
    return Number(this.word() >> 11n) / 2 ** 53;
  }

  /** Draws from the exponential distribution of mean 1. */
  exponential(): number {
    return -Math.log(1 - this.unit());
  }
}
