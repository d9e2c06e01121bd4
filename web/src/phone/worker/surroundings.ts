import type { Surroundings } from "./conversation";

interface Brands {
  brands?: { brand: string; version: string }[];
  platform?: string;
  mobile?: boolean;
}

/** The browser's description of itself and of its machine. */
export function surroundings(clockNs: number): Surroundings {
  const agent = navigator.userAgent;
  const data = (navigator as { userAgentData?: Brands }).userAgentData;
  const memory = (navigator as { deviceMemory?: number }).deviceMemory;
  const network = (navigator as { connection?: { type?: string } }).connection?.type;
  const system = systemOf(agent, data);
  const device = data?.mobile ?? /Mobi|iPhone/.test(agent) ? "phone" : /iPad|Tablet/.test(agent) ? "tablet" : "computer";
  return {
    runtime: `${browserOf(agent)} on ${system}`,
    processors: navigator.hardwareConcurrency,
    clockStepNs: clockNs > 1000 ? clockNs : 0,
    host: {
      name: `${browserOf(agent)} on a ${device}${network ? ` over ${network}` : ""}`, os: system.toLowerCase(),
      memoryBytes: memory === undefined ? 0n : BigInt(memory * 2 ** 30),
    },
  };
}

function browserOf(agent: string): string {
  const known: [RegExp, string][] = [
    [/Firefox\/(\d+)/, "Firefox"], [/EdgA?\/(\d+)/, "Edge"], [/SamsungBrowser\/(\d+)/, "Samsung Internet"],
    [/(?:Headless)?Chrome\/(\d+)/, "Chrome"], [/CriOS\/(\d+)/, "Chrome"], [/Version\/(\d+).*Safari/, "Safari"],
  ];
  for (const [pattern, name] of known) {
    const found = pattern.exec(agent);
    if (found) return `${name} ${found[1]}`;
  }
  return "an unknown browser";
}

function systemOf(agent: string, data: Brands | undefined): string {
  if (data?.platform) return data.platform;
  const found = /Android|iPhone|iPad|Mac OS X|Windows|CrOS|Linux/.exec(agent)?.[0] ?? "an unknown system";
  return found.startsWith("iP") ? "iOS" : found;
}
