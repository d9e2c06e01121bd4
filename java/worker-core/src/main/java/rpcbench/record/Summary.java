package rpcbench.record;

import java.util.List;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * Everything that was recorded.
 *
 * @param outcomes by code; what did not occur is left out
 * @param clamped samples beyond 1 h, recorded as 1 h
 * @param histograms by name: error, queue, response, service, wake; of a closed load error and response alone, and
 *     error only where there was one
 * @param windows in order
 */
public record Summary(
    List<Outcome> outcomes,
    long unsent,
    long unfinished,
    long clamped,
    SortedMap<String, Histogram> histograms,
    List<Window> windows) {}
