package rpcbench.record;

import java.util.List;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * Everything that was recorded.
 *
 * @param outcomes by code, without codes that did not occur
 * @param clamped samples beyond 1 h, recorded as 1 h
 * @param histograms by name: error, queue, response, service, wake; for a closed load only error and response; error only if
 *     there were any
 * @param windows in order
 */
public record Summary(
    List<Outcome> outcomes,
    long unsent,
    long unfinished,
    long clamped,
    SortedMap<String, Histogram> histograms,
    List<Window> windows) {}
