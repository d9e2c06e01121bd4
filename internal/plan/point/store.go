package point

import (
	"fmt"
	"strconv"
	"strings"

	"rpcbench/internal/stack"
)

// Defaults of a store: YCSB's workload B, and the exponent of YCSB's Zipf distribution (ZIPFIAN_CONSTANT in
// https://github.com/brianfrankcooper/YCSB, ZipfianGenerator.java).
const (
	readsUsual = "95%"
	thetaUsual = 0.99
	keysZipf   = "zipf"
	keysEven   = "uniform"
)

// ReadsText is which part of the operations reads, "" without a store.
func (s Spec) ReadsText() string {
	switch {
	case s.Records == 0:
		return s.Reads
	case s.Reads == "":
		return readsUsual
	default:
		return s.Reads
	}
}

// KeysText is how likely each record is, "" without a store.
func (s Spec) KeysText() string {
	if s.Records == 0 || s.Keys != "" {
		return s.Keys
	}
	return keysZipf + " " + strconv.FormatFloat(thetaUsual, 'f', -1, 64)
}

// Mix returns what operations do with the store.
func (s Spec) Mix() stack.Mix {
	percent, _ := strconv.ParseFloat(strings.TrimSuffix(s.ReadsText(), "%"), 64) // it was read before
	mix := stack.Mix{Records: uint64(s.Records), ReadsPerMillion: uint64(percent*1e4 + 0.5)}
	if law, theta, _ := strings.Cut(s.KeysText(), " "); law == keysZipf {
		mix.Theta, _ = strconv.ParseFloat(theta, 64) // as above
		mix.Zeta = stack.Zeta(mix.Records, mix.Theta)
	}
	return mix
}

// readsPart accepts a percentage with up to four decimals.
func readsPart(text string) (string, error) {
	percent, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
	if err != nil || !(percent >= 0 && percent <= 100) {
		return "", fmt.Errorf("%q is not a percentage from 0%% to 100%%", text)
	}
	rounded := strconv.FormatFloat(percent, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(rounded, "0"), ".") + "%", nil
}

// keysLaw accepts how likely records are.
func keysLaw(text string) (string, error) {
	words := strings.Fields(text)
	switch {
	case len(words) == 1 && words[0] == keysEven:
		return keysEven, nil
	case len(words) == 1 && words[0] == keysZipf:
		return Spec{Records: 1}.KeysText(), nil
	case len(words) == 2 && words[0] == keysZipf:
		theta, err := strconv.ParseFloat(words[1], 64)
		if err == nil && theta > 0 && theta < 1 {
			return keysZipf + " " + strconv.FormatFloat(theta, 'f', -1, 64), nil
		}
		return "", fmt.Errorf("%q is not an exponent above 0 and below 1, such as 0.99", words[1])
	default:
		return "", fmt.Errorf("%q is not a distribution of keys: uniform, or zipf 0.99", text)
	}
}

// storeWhere finds a store that no operations could use.
func storeWhere(s Spec) *stack.Fault {
	switch {
	case s.Records == 0:
		return nil
	case s.Batch == 0:
		return fault("records", "a store is read and written by the operations of a batch: give batch too, such as 1")
	case s.RequestBytes > 0 && s.RequestBytes < stack.ValueBytesMin:
		return fault("request_bytes", "a value in a store has at least %d bytes, its key", stack.ValueBytesMin)
	case s.ResponseBytes != s.RequestBytes && s.Kind != stack.KindUpload:
		return fault("response_bytes", "values that are read are as long as those that are written: leave it out")
	default:
		return nil
	}
}

func readsWhere(s Spec) *stack.Fault { return needsRecords(s, "reads", s.Reads) }

func keysWhere(s Spec) *stack.Fault { return needsRecords(s, "keys", s.Keys) }

func needsRecords(s Spec, key, value string) *stack.Fault {
	if value == "" || s.Records > 0 {
		return nil
	}
	return fault(key, "it is about a store: give records too, such as 100000")
}
