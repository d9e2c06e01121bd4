// The histograms of all of rpcbench: 1 ns to 1 h, 3 significant digits, by HdrHistogram. The library's files are imported one by
// one, because the whole would include its WebAssembly.
import { constructorFromBucketSize } from "hdr-histogram-js/dist/JsHistogramFactory";
import "hdr-histogram-js/dist/JsHistogram.encoding";

const Hdr = constructorFromBucketSize(32);
const highestNs = 3_600_000_000_000;

export class Histogram {
  private readonly hdr = new Hdr(1, highestNs, 3);

  /** The number of values beyond the range, which are recorded as its end. */
  clamped = 0;

  get calls(): number {
    return this.hdr.totalCount;
  }

  record(ns: number, times = 1): void {
    const fits = Math.max(0, Math.min(ns, highestNs));
    if (fits !== ns) this.clamped += times;
    this.hdr.recordValueWithCount(fits, times);
  }

  add(other: Histogram): void {
    this.clamped += other.clamped;
    if (other.calls > 0) this.hdr.add(other.hdr);
  }

  reset(): void {
    this.clamped = 0;
    if (this.calls > 0) this.hdr.reset();
  }

  /** Returns the value that the part q (0 to 1) of the samples does not exceed; 0 if there are none. */
  quantile(q: number): number {
    return this.calls === 0 ? 0 : this.hdr.getValueAtPercentile(100 * q);
  }

  /** Encodes in HdrHistogram's V2 compressed format, which its libraries in all languages read. */
  encode(): Uint8Array {
    return Uint8Array.from(atob(this.hdr.encodeIntoCompressedBase64()), (c) => c.charCodeAt(0));
  }
}
