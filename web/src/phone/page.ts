// The page that a phone opens: it starts the workers that the computer asks for, and shows the progress of a run.
import { secondsText, words } from "./words";
import { resolutionNs, timerLatenessNs } from "./worker/clock";
import type { FromPage } from "./worker/main";

/** A message from the computer. */
type Message =
  | { kind: "plan"; title: string; trials: number; seconds: number; appBytes: number; authority: boolean }
  | { kind: "refused"; text: string }
  | { kind: "start"; id: string }
  | { kind: "trial"; done: number; of: number; name: string; left: number }
  | { kind: "interval"; warming: boolean; perSec: number }
  | { kind: "failed"; text: string }
  | { kind: "ended"; file: string; failed: number; report: boolean; cancelled: boolean; text?: string };

const one = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;
const [question, status, now, rate] = [one("question"), one("status"), one("now"), one("rate")];
const [awake, failures, device, clock] = [one("awake"), one("failures"), one("device"), one("clock")];
const [app, authority] = [one<HTMLAnchorElement>("app"), one<HTMLAnchorElement>("authority")];
const [run, cancel] = [one<HTMLButtonElement>("run"), one<HTMLButtonElement>("cancel")];
const course = one("course");
const progress = one<HTMLProgressElement>("progress");
const report = one<HTMLIFrameElement>("report");
const whole = one<HTMLAnchorElement>("whole");

const socketURL = (path: string) => new URL(path, location.href).href.replace(/^http/, "ws");
/** The delay after which a page that has lost the computer connects again. */
const againMs = 2000;
/** The code with which the computer closes a page because another one was opened. */
const replaced = 4001;

/** The only browser worker, because a trial has one client. */
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
  socket.onclose = ({ code }) => {
    rest();
    run.hidden = true;
    if (code === replaced) {
      status.textContent = "This page was opened elsewhere, and that page measures now. Reload this one to measure here.";
      return;
    }
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
      app.hidden = message.appBytes === 0;
      app.textContent = words.app(message.appBytes);
      authority.hidden = !message.authority;
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

/** Starts a worker for one trial, replacing that of the previous one. */
function start(id: string): void {
  worker?.terminate();
  worker = new Worker("worker.js", { type: "classic" });
  tell(socketURL(`worker/${id}`));
}

/** Tells the worker the state of the page, and at first where to connect. */
function tell(open?: string): void {
  const message: FromPage = { page: { hidden: document.hidden, ...(battery ? { batteryLevel: battery.level } : {}) } };
  worker?.postMessage(open === undefined ? message : { ...message, open });
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
  tellBattery();
  say({ kind: "run" });
}

/** Ends everything that belongs to a run. */
function rest(): void {
  running = false;
  worker?.terminate();
  worker = undefined;
  course.hidden = cancel.hidden = awake.hidden = true;
  void lock?.release();
  lock = undefined;
  tellBattery();
}

/** Keeps the screen on, if the browser allows it: over TLS, and on this machine. */
async function stayAwake(): Promise<void> {
  awake.hidden = false;
  try {
    lock = await navigator.wakeLock.request("screen");
    awake.textContent = "The screen stays on until this is done. Leave this page in the foreground.";
  } catch {
    awake.textContent = "Keep the screen on, and this page in the foreground: a hidden page is slowed down, and its trial fails.";
  }
}

/** The battery, if the browser reports it: Chromium-based ones do, in secure contexts. */
interface Battery extends EventTarget {
  level: number;
}

let battery: Battery | undefined;

/** Finds the battery and passes its level to the worker whenever it changes. */
async function findBattery(): Promise<void> {
  battery = await (navigator as { getBattery?: () => Promise<Battery> }).getBattery?.().catch(() => undefined);
  battery?.addEventListener("levelchange", () => tell());
}

function tellBattery(): void {
  if (battery) say({ kind: "battery", level: battery.level });
}

run.onclick = () => void begin();
cancel.onclick = () => {
  status.textContent = "Ending the trial that runs …";
  say({ kind: "cancel" });
};
document.addEventListener("visibilitychange", () => {
  tell();
  if (running && !document.hidden) void stayAwake();
});
addEventListener("beforeunload", (event) => { if (running) event.preventDefault(); });
device.textContent = words.device(isSecureContext, crossOriginIsolated);
void timerLatenessNs().then((lateNs) => { clock.textContent = words.clock(resolutionNs(), lateNs); });
void findBattery().then(open);
