package report

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/compare"
	"rpcbench/internal/result"
)

// ticksPerHalfDistance is how many percentiles are printed on the way to each halving of the distance to 100%: the
// default of HdrHistogram's own tools.
const ticksPerHalfDistance = 5

// hgrmNameBytes bounds a file's name; file systems allow 255 bytes.
const hgrmNameBytes = 200

// WriteDir writes HdrHistogram's percentile text, made for its plotter: a file for the response of each row and one for
// the service of an open load, in dir, which is made if need be. Values are in microseconds, as the files' names say.
// Unlike all figures of a report a file is merged over all calls of the row's trials, for the shape of the
// distribution. It returns the names of the files written.
func WriteDir(dir string, r *compare.Report) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var written []string
	for _, row := range r.Rows {
		for _, histogram := range []string{result.HistResponse, result.HistService} {
			merged, err := row.Merged(histogram)
			if err != nil {
				return written, err
			}
			if merged == nil || merged.TotalCount() == 0 {
				continue
			}
			name := hgrmName(row.Key, histogram)
			if err := writeHgrm(filepath.Join(dir, name), merged, row); err != nil {
				return written, err
			}
			written = append(written, name)
		}
	}
	return written, nil
}

func writeHgrm(path string, h *hdrhistogram.Histogram, row *compare.Row) error {
	var text strings.Builder
	if _, err := h.PercentilesPrint(&text, ticksPerHalfDistance, 1000); err != nil {
		return err
	}
	fmt.Fprintf(&text, "#[Values are in microseconds, of all calls of %d trials together; verdict %s]\n",
		len(row.Trials), row.Verdict())
	return os.WriteFile(path, []byte(text.String()), 0o644)
}

// hgrmName makes a file's name of a key. Two keys that would come out alike, or too long, get a hash of the whole key.
func hgrmName(key compare.Key, histogram string) string {
	name := safe(key.Scenario) + "_" + strings.Join(nameParts(key), "_")
	if len(name) > hgrmNameBytes || lossy(key) {
		hash := sha256.Sum256([]byte(fmt.Sprintf("%q", key.Fields())))
		name = fmt.Sprintf("%.*s_%x", hgrmNameBytes, name, hash[:4])
	}
	return fmt.Sprintf("%s_%s_us.hgrm", name, histogram)
}

// lossy tells whether safe changed a value, so that another key may have the same name.
func lossy(key compare.Key) bool {
	for _, field := range key.Fields() {
		// Kinds and other words of our own hold underscores, which safe keeps; other signs it replaces by one.
		if value := plain(field.Value); safe(value) != value {
			return true
		}
	}
	return false
}
