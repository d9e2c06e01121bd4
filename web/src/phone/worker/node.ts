// The browser's worker under Node.js, on standard input and output like every worker, for tests with rpcbench conform.
import { closeTurns } from "./clock";
import { Conversation } from "./conversation";
import { Commands, delimited } from "./pipe";

declare const process: {
  stdin: { on(event: "data", take: (chunk: Uint8Array) => void): void; on(event: "end", take: () => void): void };
  stdout: { write(bytes: Uint8Array): void };
  exit(code: number): void;
  version: string;
  platform: string;
};

const conversation = new Conversation((event) => process.stdout.write(delimited(event)), { hidden: false });
conversation.hello({ runtime: `Node.js ${process.version}`, processors: 1, clockStepNs: 0, host: { os: process.platform } });
const commands = new Commands();
process.stdin.on("data", (chunk) => {
  for (const command of commands.take(chunk)) void conversation.obey(command);
});
process.stdin.on("end", () => {
  closeTurns();
  process.exit(0);
});
