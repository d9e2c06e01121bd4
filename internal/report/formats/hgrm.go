package formats

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// ticksPerHalfDistance is the number of percentiles printed before each halving of the distance to 100%: the default of
// HdrHistogram's own tools.
const ticksPerHalfDistance = 5

// hgrmNameBytes bounds a file's name; file systems allow 255 bytes.
const hgrmNameBytes = 200

// WriteHgrmFolder writes HdrHistogram's percentile text, made for its plotter, into dir, which is created if necessary: a file
// for the response of each row, and one for the service of an open load. Values are in microseconds, as the file names say.
// Unlike the figures of a report, a file merges all calls of the row's trials, to show the shape of the distribution. It returns
// the names of the files written. It is an error when there is none, and then dir is not created.
func WriteHgrmFolder(dir string, r *analysis.Report) ([]string, error) {
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
			bounds := ""
			if histogram == result.HistResponse {
				if bounds, err = lowerBounds(row); err != nil {
					return written, err
				}
			}
			text, err := percentiles(merged, len(row.Trials), bounds+"; verdict "+row.Verdict())
			if err != nil {
				return written, err
			}
			name := hgrmName(row, histogram)
			if err := writeInto(dir, name, text); err != nil {
				return written, err
			}
			written = append(written, name)
		}
	}
	if len(written) == 0 {
		return nil, errNoLatencies
	}
	return written, nil
}

var errNoLatencies = document.Misfit("no call was OK, so there is no latency histogram")

// writeInto writes a file into dir, which is created if necessary.
func writeInto(dir, name, text string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
}

// WriteHgrm writes the same text of the responses of all trials together, for one file. It is an error when no trial
// has any.
func WriteHgrm(w io.Writer, trials []result.Trial) error {
	var together analysis.Row
	for i := range trials {
		whole, err := analysis.Together(trials[i].Clients)
		if err != nil {
			return fmt.Errorf("trial %s: %w", trials[i].ID, err)
		}
		if whole.Histograms[result.HistResponse] != "" {
			together.Trials = append(together.Trials, &analysis.Trial{Trial: &trials[i], Record: whole})
		}
	}
	merged, err := together.Merged(result.HistResponse)
	if err != nil {
		return err
	}
	if merged == nil || merged.TotalCount() == 0 {
		return errNoLatencies
	}
	bounds, err := lowerBounds(&together)
	if err != nil {
		return err
	}
	text, err := percentiles(merged, len(together.Trials), bounds)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// percentiles returns HdrHistogram's percentile text in microseconds, with a last line that describes its source.
func percentiles(h *hdrhistogram.Histogram, trials int, more string) (string, error) {
	var text strings.Builder
	if _, err := h.PercentilesPrint(&text, ticksPerHalfDistance, 1000); err != nil {
		return "", err
	}
	of := "the OK calls of 1 trial"
	if trials > 1 {
		of = fmt.Sprintf("the OK calls of %d trials together", trials)
	}
	fmt.Fprintf(&text, "#[Values are in microseconds, of %s%s]\n", of, more)
	return text.String(), nil
}

// lowerBounds says how many of the responses of a row are of calls without an answer, which took longer than is recorded; ""
// where there are none. Older workers don't tell these apart.
func lowerBounds(row *analysis.Row) (string, error) {
	bounds, err := row.Merged(result.HistBound)
	if err != nil || bounds == nil || bounds.TotalCount() == 0 {
		return "", err
	}
	return fmt.Sprintf(", with %s of calls that were not answered", number.Count(bounds.TotalCount(), "lower bound")), nil
}

// hgrmName makes a file's name of a key. Two keys that would come out alike, or too long, get a hash of the whole key.
func hgrmName(row *analysis.Row, histogram string) string {
	name := naming.Safe(row.Key.Scenario) + "_" + strings.Join(naming.Parts(row.Spec), "_")
	if len(name) > hgrmNameBytes || lossy(row) {
		hash := sha256.Sum256([]byte(fmt.Sprintf("%q", row.Fields())))
		name = fmt.Sprintf("%.*s_%x", hgrmNameBytes, name, hash[:4])
	}
	return fmt.Sprintf("%s_%s_us.hgrm", name, histogram)
}

// lossy reports whether safe changed a value, so that another key may have the same name.
func lossy(row *analysis.Row) bool {
	for _, field := range row.Fields() {
		// Kinds and other words of our own hold underscores, which safe keeps; other signs it replaces by one.
		if value := document.Value(field.Value); naming.Safe(value) != value {
			return true
		}
	}
	return false
}
