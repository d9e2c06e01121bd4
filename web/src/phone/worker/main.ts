// A worker of rpcbench in a browser: a dedicated worker of the page, fresh for each trial, whose pipe is a WebSocket.
import { resolutionNs } from "./clock";
import { Conversation, type PageState } from "./conversation";
import { Commands, delimited } from "./pipe";
import { surroundings } from "./surroundings";

/** Messages from the page: its state, at first and whenever it changes; the first one says where to connect. */
export interface FromPage {
  open?: string;
  page: PageState;
}

declare const self: DedicatedWorkerGlobalScope & typeof globalThis;
interface DedicatedWorkerGlobalScope {
  onmessage: ((message: MessageEvent<FromPage>) => void) | null;
  close(): void;
}

let page: PageState;
let conversation: Conversation | undefined;

self.onmessage = ({ data }) => {
  page = data.page;
  conversation?.notice(page);
  if (data.open !== undefined) open(data.open);
};

function open(url: string): void {
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  const commands = new Commands();
  socket.onopen = () => {
    conversation = new Conversation((event) => socket.send(delimited(event) as Uint8Array<ArrayBuffer>), page);
    conversation.hello(surroundings(resolutionNs()));
  };
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    for (const command of commands.take(new Uint8Array(data))) void conversation?.obey(command);
  };
  socket.onclose = () => self.close();
}
