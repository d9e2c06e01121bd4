import { SplitMix64 } from "../../random";

/** Draws the values of messages: each takes the next word w of the seed, and a text one for every character. */
export class Source {
  private readonly random: SplitMix64;

  constructor(seed: bigint) {
    this.random = new SplitMix64(seed);
  }

  /** Returns 0 to n - 1: w mod n. */
  below(n: number): number {
    return Number(this.random.word() % BigInt(n));
  }

  /** Returns 1 to n. */
  upTo(n: number): number {
    return 1 + this.below(n);
  }

  /** Returns printable ASCII. */
  text(length: number): string {
    return String.fromCharCode(...this.list(length, () => 32 + this.below(95)));
  }

  /** Returns any signed 32-bit number: the upper half of w. */
  int32(): number {
    return Number(BigInt.asIntN(32, this.random.word() >> 32n));
  }

  bool(): boolean {
    return this.random.word() >> 63n === 1n;
  }

  /** Returns a number in [0, 1), in a float's 24 bits. */
  float(): number {
    return Number(this.random.word() >> 40n) / 2 ** 24;
  }

  /** Returns a number in [0, 1), in a double's 53 bits. */
  double(): number {
    return this.random.unit();
  }

  list<T>(length: number, draw: () => T): T[] {
    return Array.from({ length }, draw);
  }
}
