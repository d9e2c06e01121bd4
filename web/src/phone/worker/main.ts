// A worker of rpcbench in a browser: a dedicated worker of the page, fresh for each trial, whose pipe is a WebSocket.
import { resolutionNs } from "./clock";
import { Conversation } from "./conversation";
import { Commands, delimited } from "./pipe";
import { surroundings } from "./surroundings";

/** Messages from the page: where to connect, that it was hidden, and the battery's level whenever it changes. */
export type FromPage = { open: string; battery?: number } | { disturbed: string } | { battery: number };

declare const self: DedicatedWorkerGlobalScope & typeof globalThis;
interface DedicatedWorkerGlobalScope {
  onmessage: ((message: MessageEvent<FromPage>) => void) | null;
  close(): void;
}

let conversation: Conversation | undefined;

self.onmessage = ({ data }) => {
  if ("disturbed" in data) conversation?.disturb(data.disturbed);
  else if ("open" in data) open(data.open, data.battery);
  else conversation?.battery(data.battery);
};

function open(url: string, battery?: number): void {
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  const commands = new Commands();
  socket.onopen = () => {
    conversation = new Conversation((event) => socket.send(delimited(event) as Uint8Array<ArrayBuffer>));
    if (battery !== undefined) conversation.battery(battery);
    conversation.hello(surroundings(resolutionNs()));
  };
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    for (const command of commands.take(new Uint8Array(data))) void conversation?.obey(command);
  };
  socket.onclose = () => self.close();
}
