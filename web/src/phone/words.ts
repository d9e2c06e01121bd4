// The texts of the page.

export function secondsText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  return `${Math.round(seconds / 60)} min`;
}

const time = (ns: number) => (ns < 1e6 ? `${Math.round(ns / 1e3)}\u00a0µs` : `${(ns / 1e6).toFixed(1)}\u00a0ms`);
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;

export const words = {
  plan: (trials: number, seconds: number) => `${count(trials, "trial")}, about ${secondsText(seconds)}.`,

  rate: (warming: boolean, perSec: number) =>
    `${warming ? "Warming up" : "Measuring"}: ${perSec < 10 ? perSec.toFixed(1) : Math.round(perSec).toLocaleString("en")} calls/s`,

  ended: ({ failed, cancelled, report, text, file }: { failed: number; cancelled: boolean; report: boolean; text?: string; file: string }) => {
    if (!report) return cancelled ? "Cancelled before anything was measured." : `It failed: ${text ?? "nothing was measured"}.`;
    const end = cancelled ? "Cancelled. What was measured until then is below" : "Done. The results are below";
    const wrong = failed > 0 ? ` ${count(failed, "trial")} failed.` : "";
    return `${end}, and on the computer in ${file}.${wrong}`;
  },

  clock: (stepNs: number, lateNs: number) =>
    `This browser's clock moves in steps of ${time(stepNs)}; a timer of 10 ms ends ${time(lateNs)} late.`,

  app: (bytes: number) => `Install the Android app instead (APK, ${(bytes / 1e6).toFixed(1)} MB)`,

  device: (secure: boolean, isolated: boolean) =>
    isolated ? "" : secure ? "This page is not isolated from others, so the browser rounds its clock to 0.1 ms or more."
      : "Without TLS a browser rounds its clock to 0.1 ms or more, and lets no page keep the screen on.",
};
