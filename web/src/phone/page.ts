// The page that a phone opens: it starts the workers that the computer asks for, and shows how a run goes.
import { secondsText, words } from "./words";
import type { FromPage } from "./worker/main";

/** What the computer says. */
type Message =
  | { kind: "plan"; title: string; trials: number; seconds: number }
  | { kind: "refused"; text: string }
  | { kind: "start"; id: string }
  | { kind: "trial"; done: number; of: number; name: string; left: number }
  | { kind: "interval"; warming: boolean; perSec: number }
  | { kind: "failed"; text: string }
  | { kind: "ended"; file: string; failed: number; report: boolean; cancelled: boolean; text?: string };

const one = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;
const [question, status, now, rate] = [one("question"), one("status"), one("now"), one("rate")];
const [awake, failures, device] = [one("awake"), one("failures"), one("device")];
const [run, cancel] = [one<HTMLButtonElement>("run"), one<HTMLButtonElement>("cancel")];
const course = one("course");
const progress = one<HTMLProgressElement>("progress");
const report = one<HTMLIFrameElement>("report");
const whole = one<HTMLAnchorElement>("whole");

const socketURL = (path: string) => new URL(path, location.href).href.replace(/^http/, "ws");
/** A page that has lost the computer asks for it again after this. */
const againMs = 2000;

/** One browser worker at a time, as a trial has one client. */
let worker: Worker | undefined;
let socket: WebSocket | undefined;
let lock: { release(): Promise<void> } | undefined;
let running = false;

function say(message: object): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function open(): void {
  socket = new WebSocket(socketURL("page"));
  socket.onopen = () => { status.textContent = "Asking what this browser can do …"; };
  socket.onmessage = ({ data }: MessageEvent<string>) => obey(JSON.parse(data) as Message);
  socket.onclose = () => {
    rest();
    run.hidden = true;
    status.textContent = "The computer is not there. This page goes on when it is; rpcbench phone starts it.";
    setTimeout(open, againMs);
  };
}

function obey(message: Message): void {
  switch (message.kind) {
    case "plan":
      question.textContent = message.title;
      status.textContent = words.plan(message.trials, message.seconds);
      run.hidden = false;
      break;
    case "refused":
      status.textContent = `This can't be measured here: ${message.text}`;
      break;
    case "start":
      start(message.id);
      break;
    case "trial":
      progress.max = message.of;
      progress.value = message.done;
      status.textContent = `Trial ${message.done + 1} of ${message.of}, about ${secondsText(message.left)} left`;
      now.textContent = message.name;
      rate.textContent = "";
      break;
    case "interval":
      rate.textContent = words.rate(message.warming, message.perSec);
      break;
    case "failed":
      failures.hidden = false;
      failures.textContent = `A trial failed: ${message.text}`;
      break;
    case "ended":
      ended(message);
      break;
  }
}

/** Starts a worker for one trial, in place of the last one's. */
function start(id: string): void {
  worker?.terminate();
  worker = new Worker("worker.js", { type: "classic" });
  tell({ open: socketURL(`worker/${id}`) });
}

function tell(message: FromPage): void {
  worker?.postMessage(message);
}

function ended(message: Extract<Message, { kind: "ended" }>): void {
  rest();
  run.hidden = false;
  run.textContent = "Measure again";
  status.textContent = words.ended(message);
  if (!message.report) return;
  report.src = `report?${Date.now()}`;
  report.hidden = whole.hidden = false;
}

async function begin(): Promise<void> {
  running = true;
  run.hidden = course.hidden = true;
  failures.hidden = report.hidden = whole.hidden = true;
  course.hidden = cancel.hidden = false;
  progress.value = 0;
  await stayAwake();
  await tellBattery();
  say({ kind: "run" });
}

/** Ends what belongs to a run. */
function rest(): void {
  running = false;
  worker?.terminate();
  worker = undefined;
  course.hidden = cancel.hidden = awake.hidden = true;
  void lock?.release();
  lock = undefined;
  void tellBattery();
}

/** Keeps the screen on, where a browser lets pages do that: over TLS, and on this machine. */
async function stayAwake(): Promise<void> {
  awake.hidden = false;
  try {
    lock = await navigator.wakeLock.request("screen");
    awake.textContent = "The screen stays on until this is done. Leave this page in the foreground.";
  } catch {
    awake.textContent = "Keep the screen on, and this page in the foreground: a hidden page is slowed down, and its trial fails.";
  }
}

async function tellBattery(): Promise<void> {
  const battery = await (navigator as { getBattery?: () => Promise<{ level: number }> }).getBattery?.().catch(() => undefined);
  if (battery) say({ kind: "battery", level: battery.level });
}

run.onclick = () => void begin();
cancel.onclick = () => {
  status.textContent = "Ending the trial that runs …";
  say({ kind: "cancel" });
};
document.addEventListener("visibilitychange", () => {
  if (document.hidden) tell({ disturbed: "the page was hidden while calls were made, and browsers slow hidden pages down" });
  else if (running) void stayAwake();
});
addEventListener("beforeunload", (event) => { if (running) event.preventDefault(); });
device.textContent = words.device(isSecureContext, crossOriginIsolated);
open();
