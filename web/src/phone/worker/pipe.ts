// The pipe of worker.v1: each message is preceded by its length as a varint.
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import { type Command, CommandSchema, EventSchema } from "../../gen/rpcbench/worker/v1/worker_pb";

export type Event = NonNullable<MessageInitShape<typeof EventSchema>["event"]>;

/** Encodes an event in delimited form. */
export function delimited(event: Event): Uint8Array {
  const body = toBinary(EventSchema, create(EventSchema, { event }));
  return new BinaryWriter().bytes(body).finish(); // a varint of the length, and the bytes
}

/** Collects bytes as they arrive, and returns complete commands. */
export class Commands {
  private rest = new Uint8Array();

  *take(bytes: Uint8Array): Generator<Command> {
    const all = new Uint8Array(this.rest.length + bytes.length);
    all.set(this.rest);
    all.set(bytes, this.rest.length);
    let at = 0;
    for (;;) {
      const length = lengthAt(all, at);
      if (!length || length.begin + length.bytes > all.length) break;
      at = length.begin + length.bytes;
      yield fromBinary(CommandSchema, all.subarray(length.begin, at));
    }
    this.rest = all.slice(at);
  }
}

function lengthAt(all: Uint8Array, at: number): { begin: number; bytes: number } | undefined {
  for (let end = at; end < all.length; end++) {
    if (all[end]! < 0x80) {
      const reader = new BinaryReader(all.subarray(at, end + 1));
      return { bytes: reader.uint32(), begin: end + 1 };
    }
  }
  return undefined;
}
