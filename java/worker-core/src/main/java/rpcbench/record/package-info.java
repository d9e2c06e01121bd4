/**
 * Keeps the outcomes of calls: histograms and counts, in memory that does not grow with calls or slots.
 *
 * <p>Slots are divided among a small fixed number of shards, each with its own lock and histograms. Once a second the shards'
 * histograms are swapped for empty ones and merged. Percentiles are always read from merged histograms, never averaged.
 */
package rpcbench.record;
