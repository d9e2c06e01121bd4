// Time in nanoseconds, from any origin. A number is exact for up to 104 days.

/** Reads the clock. Browsers round it: see resolutionNs. */
export function nowNs(): number {
  return Math.round(performance.now() * 1e6);
}

/** Measures the step of the clock: the median of some steps, in ns. */
export function resolutionNs(): number {
  const steps: number[] = [];
  for (let last = nowNs(); steps.length < 25;) {
    const now = nowNs();
    if (now !== last) steps.push(now - last);
    last = now;
  }
  return steps.sort((a, b) => a - b)[steps.length >> 1]!;
}

/** Measures how late a timer of 10 ms ends: the median of some, in ns. */
export async function timerLatenessNs(): Promise<number> {
  const restMs = 10;
  const late: number[] = [];
  for (let i = 0; i < 11; i++) {
    const begun = nowNs();
    await new Promise((resolve) => setTimeout(resolve, restMs));
    late.push(nowNs() - begun - restMs * 1e6);
  }
  return Math.max(0, late.sort((a, b) => a - b)[late.length >> 1]!);
}

const turns = new MessageChannel();
let waiting: (() => void)[] = [];
turns.port1.onmessage = () => {
  const due = waiting;
  waiting = [];
  for (const go of due) go();
};

/** Yields to the browser and continues at once, unlike a timer, which waits for 4 ms. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) turns.port2.postMessage(null);
  });
}

/** Closes the ports that would keep a program without a page alive. */
export function closeTurns(): void {
  turns.port1.close();
}

/** Consecutive timers wait for at least 4 ms; for shorter times it yields repeatedly instead. */
const timerMs = 5;

/** Waits until the clock shows ns, or over() is true. */
export async function until(ns: number, over: () => boolean): Promise<void> {
  while (!over()) {
    const restMs = (ns - nowNs()) / 1e6;
    if (restMs <= 0) return;
    if (restMs > 2 * timerMs) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(restMs - timerMs, 50)));
    } else {
      await turn();
    }
  }
}
