package analysis

import "rpcbench/internal/results/result"

// headerBytes is the size of a segment's headers: 20 bytes of IPv4 (RFC 791) and 32 of TCP (RFC 9293), 12 of these its time
// stamps option (RFC 7323), which Linux sends. The handshake's options and IPv6's further 20 are not included.
const headerBytes = 20 + 32

func segmentsOut(s *result.Snapshot) *int64 { return s.SegmentsOut }

func segmentsIn(s *result.Snapshot) *int64 { return s.SegmentsIn }

// segments returns the segments in a direction as the client sees it, counted by its kernel, or else by its servers'.
func segments(atClient, atServer counter) formula {
	return func(m *measurement) (float64, bool) {
		if each, known := perCall(client, atClient)(m); known {
			return each, true
		}
		return perCall(server, atServer)(m)
	}
}

// packets are the bytes of a direction with the headers of its segments.
func packets(bytesAtClient, bytesAtServer, atClient, atServer counter) formula {
	return func(m *measurement) (float64, bool) {
		bytes, known := wire(bytesAtClient, bytesAtServer)(m)
		each, alsoKnown := segments(atClient, atServer)(m)
		return bytes + headerBytes*each, known && alsoKnown && each > 0
	}
}
