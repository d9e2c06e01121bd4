// The messages of the gRPC mobile benchmark, generated from a seed as in internal/stack/codec/generate.go: in the order of the
// schema, a list's length before its elements.
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { AddressBookSchema, FriendsListSchema, SmallRequestSchema, ThingsSchema } from "../../../../gen/rpcbench/codec/v1/message_pb";
import { Source } from "./source";

/** A message as in a program with JSON, and as in one with protobuf. */
export interface Contents {
  plain: unknown;
  schema: DescMessage;
  message: ReturnType<typeof create>;
}

const makers: Record<string, { schema: DescMessage; plain: (s: Source) => unknown }> = {
  "small": { schema: SmallRequestSchema, plain: (s) => ({ name: s.text(s.upTo(30)) }) },
  "address-book": { schema: AddressBookSchema, plain: (s) => ({ people: s.list(s.upTo(10), () => person(s)) }) },
  "newsfeed": { schema: FriendsListSchema, plain: (s) => ({ profiles: s.list(s.upTo(50), () => profile(s)) }) },
  "large": { schema: ThingsSchema, plain: (s) => things(s, () => s.upTo(10), () => s.upTo(60)) },
  "large-dense": { schema: ThingsSchema, plain: (s) => things(s, () => 5, () => 60) },
  "large-sparse": { schema: ThingsSchema, plain: (s) => things(s, () => 5, () => 10) },
};

export const messageNames = Object.keys(makers);

export function contentsOf(name: string, seed: bigint): Contents {
  const { schema, plain } = makers[name]!;
  const made = plain(new Source(seed));
  return { plain: made, schema, message: create(schema, camelCased(made) as MessageInitShape<DescMessage>) };
}

/** Renames fields from the schema's names, which JSON has here, to those of generated code. */
function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase()), camelCased(v)]));
}

function person(s: Source) {
  return {
    name: s.text(16), id: s.int32(), email: s.text(30),
    phones: s.list(s.upTo(4), () => ({ number: s.text(9), type: s.below(3) })),
  };
}

function profile(s: Source) {
  return {
    id: s.int32(), name: s.text(s.upTo(16)), about: s.text(s.upTo(120)), gender: s.bool(),
    posts: s.list(s.upTo(12), () => post(s)),
  };
}

function post(s: Source) {
  return {
    owner_id: s.int32(), content: s.text(s.upTo(400)),
    reactions: s.list(s.upTo(10), () => ({ owner_id: s.int32(), type: s.below(5) })),
    comments: s.list(s.upTo(10), () => ({ owner_id: s.int32(), text: s.text(s.upTo(240)) })),
  };
}

/** Returns a tree of three levels. */
function things(s: Source, branches: () => number, length: () => number) {
  const leaf = () => ({ attributes: attributes(s, length) });
  const middle = () => ({ attributes: attributes(s, length), value: s.below(6), things: s.list(branches(), leaf) });
  const upper = () => ({ attributes: attributes(s, length), things: s.list(branches(), middle) });
  return { attributes: attributes(s, length), things: s.list(branches(), upper) };
}

function attributes(s: Source, length: () => number) {
  return {
    int1: s.int32(), int2: s.int32(), int3: s.int32(),
    float1: s.float(), float2: s.float(), float3: s.float(),
    string1: s.text(length()), string2: s.text(length()), string3: s.text(length()),
    bool1: s.bool(), bool2: s.bool(), bool3: s.bool(),
    double1: s.double(), double2: s.double(), double3: s.double(),
  };
}
