import { equals, fromBinary, fromJsonString, toBinary, toJsonString } from "@bufbuild/protobuf";
import type { Contents } from "./message";

/** A codec's operations on one message. Only gzip is asynchronous, because browsers have it as a stream. */
export interface Operations {
  encode(): Uint8Array | Promise<Uint8Array>;
  decode(data: Uint8Array): unknown;
  /** Reports whether a decoded message is the one that was encoded. */
  same(decoded: unknown): boolean;
  gzipped: boolean;
}

export const codecs: Record<string, (of: Contents) => Operations> = {
  "protobuf": ({ schema, message }) => ({
    encode: () => toBinary(schema, message),
    decode: (data) => fromBinary(schema, data),
    same: (decoded) => equals(schema, decoded as typeof message, message),
    gzipped: false,
  }),
  "protobuf-json": ({ schema, message }) => ({
    encode: () => utf8(toJsonString(schema, message)),
    decode: (data) => fromJsonString(schema, text(data)),
    same: (decoded) => equals(schema, decoded as typeof message, message),
    gzipped: false,
  }),
  "json": ({ plain }) => ({
    encode: () => utf8(JSON.stringify(plain)),
    decode: (data) => JSON.parse(text(data)) as unknown,
    same: (decoded) => JSON.stringify(decoded) === JSON.stringify(plain),
    gzipped: false,
  }),
  "json-gzip": ({ plain }) => ({
    encode: () => gzip(utf8(JSON.stringify(plain))),
    decode: async (data) => JSON.parse(text(await gunzip(data))) as unknown,
    same: (decoded) => JSON.stringify(decoded) === JSON.stringify(plain),
    gzipped: true,
  }),
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const utf8 = (s: string) => encoder.encode(s);
const text = (data: Uint8Array) => decoder.decode(data);

export const gzip = (data: Uint8Array) => through(data, new CompressionStream("gzip"));
export const gunzip = (data: Uint8Array) => through(data, new DecompressionStream("gzip"));

async function through(data: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const out = new Response(stream.readable).arrayBuffer();
  const writer = stream.writable.getWriter();
  void writer.write(data as Uint8Array<ArrayBuffer>).catch(() => {}); // the reader gets the error
  void writer.close().catch(() => {});
  return new Uint8Array(await out);
}
