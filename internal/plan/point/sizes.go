package point

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"rpcbench/internal/stack"
)

// Sizes is a distribution of payload lengths, as a case writes it: "uniform 1..1000", "weighted 100:90,10kB:10", "lognormal 1kB
// 1.5" or "file sizes.csv". A single length, "1000", is possible next to requests whose lengths differ.
type Sizes struct {
	Text string          `json:"text"`
	Bins []stack.SizeBin `json:"bins,omitempty"` // of a file
}

// String is the text, "" without Sizes.
func (s *Sizes) String() string {
	if s == nil {
		return ""
	}
	return s.Text
}

// Drawn returns the bins that a worker draws from, nil without Sizes. The text is valid: it was read before.
func (s *Sizes) Drawn() []stack.SizeBin {
	if s == nil {
		return nil
	}
	if s.Bins != nil {
		return s.Bins
	}
	bins, _ := parseSizes(s.Text) // it was read before
	return bins
}

// Most is the longest length.
func (s *Sizes) Most() (most int) {
	for _, b := range s.Drawn() {
		most = max(most, b.Most)
	}
	return most
}

// fromFile is how the text of Sizes begins that a file has.
const fromFile = "file "

// File is the path of the file that has the lengths; "" where none has.
func (s *Sizes) File() string {
	if s == nil {
		return ""
	}
	path, _ := strings.CutPrefix(s.Text, fromFile)
	if path == s.Text {
		return ""
	}
	return path
}

// sizesOf reads one length, or a distribution of lengths.
func sizesOf(text string) (Sizes, error) {
	words := strings.Fields(text)
	n, err := size(text)
	switch {
	case err == nil:
		return Sizes{Text: strconv.Itoa(n)}, nil
	case len(words) == 0, !strings.ContainsRune("uwlf", rune(words[0][0])): // no word of a distribution
		return Sizes{}, err
	}
	read := Sizes{Text: strings.Join(words, " ")}
	_, err = parseSizes(read.Text)
	return read, err
}

// isOne reports whether there is one length.
func (s *Sizes) isOne() (n int, ok bool) {
	n, err := strconv.Atoi(s.Text)
	return n, err == nil
}

// parseSizes makes the bins of a text.
func parseSizes(text string) ([]stack.SizeBin, error) {
	if n, ok := (&Sizes{Text: text}).isOne(); ok {
		return []stack.SizeBin{{Least: n, Most: n, Weight: 1}}, nil
	}
	words := strings.Fields(text)
	var bins []stack.SizeBin
	var err error
	switch name, rest := words[0], words[1:]; name {
	case "uniform":
		bins, err = uniformSizes(rest)
	case "weighted":
		bins, err = weightedSizes(rest)
	case "lognormal":
		bins, err = lognormalSizes(rest)
	case "file":
		return nil, errors.New("a file of lengths is given by request_sizes_file or response_sizes_file")
	default:
		return nil, fmt.Errorf("%q is neither a size, such as 1kB, nor a distribution: uniform 1..1kB, weighted 100:90,10kB:10, or "+
			"lognormal 1kB 1.5", text)
	}
	if err == nil {
		err = checkBins(bins)
	}
	return bins, err
}

func checkBins(bins []stack.SizeBin) error {
	if reason := stack.CheckSizeBins(bins); reason != "" {
		return errors.New(reason)
	}
	return nil
}

func uniformSizes(words []string) ([]stack.SizeBin, error) {
	least, most, ok := strings.Cut(strings.Join(words, ""), "..")
	if !ok {
		return nil, fmt.Errorf("uniform %s has no two lengths, such as uniform 1..1kB", strings.Join(words, " "))
	}
	from, err := size(least)
	if err != nil {
		return nil, err
	}
	to, err := size(most)
	if err == nil && to < from {
		err = fmt.Errorf("uniform %s..%s ends before it begins", least, most)
	}
	return []stack.SizeBin{{Least: from, Most: to, Weight: 1}}, err
}

// sizeBinsMax is the most lengths that a list or a file has.
const sizeBinsMax = 10_000

func weightedSizes(words []string) (bins []stack.SizeBin, err error) {
	list := strings.Split(strings.Join(words, ""), ",")
	if len(list) > sizeBinsMax {
		return nil, fmt.Errorf("%d lengths, %d at most", len(list), sizeBinsMax)
	}
	for _, item := range list {
		length, weight, ok := strings.Cut(item, ":")
		if !ok {
			return nil, fmt.Errorf("%q has no weight, such as 10kB:10", item)
		}
		bin, err := sizeBin(length, length, weight)
		if err != nil {
			return nil, err
		}
		bins = append(bins, bin)
	}
	return bins, nil
}

// weightUnit is the integer for a weight of 1, so weights may have three decimals.
const weightUnit = 1000

func sizeBin(from, to, weight string) (bin stack.SizeBin, err error) {
	if bin.Least, err = size(from); err != nil {
		return bin, err
	}
	if bin.Most, err = size(to); err != nil {
		return bin, err
	}
	w, err := strconv.ParseFloat(weight, 64)
	if err != nil || !(w >= 1.0/weightUnit && w <= 1e12) {
		return bin, fmt.Errorf("%q is not a weight: a number from 0.001 to 10^12", weight)
	}
	bin.Weight = uint64(math.Round(w * weightUnit))
	return bin, nil
}

// lognormalSteps is the number of equally likely bins that replace a log-normal distribution, so workers need no logarithms.
// Lengths within a bin are equally likely.
const lognormalSteps = 200

// lognormalSizes reads the median, the standard deviation of the logarithm, and optionally the maximum length. The default
// maximum is the 99.9th percentile. Longer lengths are cut to the maximum.
func lognormalSizes(words []string) ([]stack.SizeBin, error) {
	if len(words) < 2 || len(words) > 3 {
		return nil, fmt.Errorf("lognormal %s has no median and sigma, such as lognormal 1kB 1.5", strings.Join(words, " "))
	}
	median, err := size(words[0])
	if err != nil {
		return nil, err
	}
	sigma, err := strconv.ParseFloat(words[1], 64)
	if err != nil || !(sigma > 0 && sigma <= 10) || median == 0 {
		return nil, fmt.Errorf("lognormal %s: the median must be above 0, and sigma above 0 and up to 10", strings.Join(words, " "))
	}
	quantile := func(q float64) float64 {
		return min(float64(median)*math.Exp(sigma*math.Sqrt2*math.Erfinv(2*q-1)), stack.MessageBytesMax)
	}
	longest := int(quantile(0.999))
	if len(words) == 3 {
		if longest, err = size(words[2]); err != nil {
			return nil, err
		}
	}
	bins := make([]stack.SizeBin, lognormalSteps)
	least := 0
	for i := range bins {
		most := longest
		if i+1 < lognormalSteps {
			most = min(int(quantile(float64(i+1)/lognormalSteps)), longest)
		}
		bins[i] = stack.SizeBin{Least: min(least, most), Most: most, Weight: 1}
		least = most + 1
	}
	return bins, nil
}

// byteOrderMark is what editors and spreadsheets on Windows begin a text with.
const byteOrderMark = "\ufeff"

// sizesFileMax is the most bytes of a file of lengths.
const sizesFileMax = 1 << 20

// ReadSizes reads lengths as CSV: LENGTH,WEIGHT or FROM,TO,WEIGHT in each line, as in the payload curves of grpc-go's benchmarks.
// The first line may be a header.
func ReadSizes(from io.Reader) ([]stack.SizeBin, error) {
	text := bufio.NewReader(io.LimitReader(from, sizesFileMax+1))
	if mark, _ := text.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = text.Discard(len(byteOrderMark)) // else the first line would look like a heading
	}
	reader := csv.NewReader(text)
	reader.TrimLeadingSpace, reader.FieldsPerRecord, reader.Comment = true, -1, '#'
	var bins []stack.SizeBin
	for line := 1; ; line++ {
		fields, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF) && len(bins) == 0:
			return nil, errors.New("it has no lengths")
		case errors.Is(err, io.EOF):
			return bins, checkBins(bins)
		case err != nil:
			return nil, err
		case reader.InputOffset() > sizesFileMax, len(bins) == sizeBinsMax:
			return nil, fmt.Errorf("it has more than %d lengths or %d bytes", sizeBinsMax, sizesFileMax)
		case len(fields) < 2 || len(fields) > 3:
			return nil, fmt.Errorf("line %d: number of columns: %d; expected 2 or 3, LENGTH,WEIGHT or FROM,TO,WEIGHT", line,
				len(fields))
		}
		bin, err := sizeBin(fields[0], fields[len(fields)-2], strings.TrimSuffix(fields[len(fields)-1], "%"))
		if _, notNumber := size(fields[0]); notNumber != nil && line == 1 {
			continue // a heading
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		bins = append(bins, bin)
	}
}

// setRequestSizes puts the lengths of requests into a point; those of replies are the same until something else is said.
func setRequestSizes(a *Asked, s Sizes) {
	a.RequestSizes, a.ResponseSizes = nil, nil
	if n, ok := s.isOne(); ok {
		a.RequestBytes, a.ResponseBytes = n, n
		return
	}
	a.RequestSizes = &s
	a.RequestBytes, a.ResponseBytes = s.Most(), s.Most()
}

func setResponseSizes(a *Asked, s Sizes) {
	a.ResponseSizes = &s
	n, ok := s.isOne()
	if ok && a.RequestSizes == nil {
		a.ResponseSizes = nil
	}
	if !ok {
		n = s.Most()
	}
	a.ResponseBytes = n
}

func writeRequestSizes(a Asked) Node {
	if a.RequestSizes.File() != "" {
		return absent()
	}
	if a.RequestSizes != nil {
		return textNode(a.RequestSizes.Text)
	}
	return countNode(a.RequestBytes)
}

func writeResponseSizes(a Asked) Node {
	switch {
	case a.ResponseSizes.File() != "", a.ResponseSizes == nil && a.RequestSizes != nil:
		return absent()
	case a.ResponseSizes != nil:
		return textNode(a.ResponseSizes.Text)
	default:
		return countNode(a.ResponseBytes)
	}
}

// SizesFileKeys are the keys that name files of lengths.
var SizesFileKeys = []string{"request_sizes_file", "response_sizes_file"}

// SizesFiles are the files that the lengths of a point are from.
func (s Spec) SizesFiles() []string {
	var paths []string
	for _, sizes := range []*Sizes{s.RequestSizes, s.ResponseSizes} {
		if path := sizes.File(); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// WithSizes sets the contents of the files that a point's lengths come from, by path.
func (s Spec) WithSizes(files map[string][]stack.SizeBin) Spec {
	read := func(sizes *Sizes) *Sizes {
		if path := sizes.File(); path != "" {
			return &Sizes{sizes.Text, files[path]}
		}
		return sizes
	}
	s.RequestSizes, s.ResponseSizes = read(s.RequestSizes), read(s.ResponseSizes)
	if s.RequestSizes != nil {
		s.RequestBytes = s.RequestSizes.Most()
	}
	switch {
	case s.ResponseSizes != nil:
		s.ResponseBytes = s.ResponseSizes.Most()
	case s.RequestSizes != nil:
		s.ResponseBytes = s.RequestBytes
	}
	return s
}

// sizesFileForm is the form of a file of lengths.
func sizesFileForm(field func(*Asked) **Sizes) form {
	set := func(a *Asked, path string) { *field(a) = &Sizes{Text: fromFile + strings.TrimPrefix(path, "@")} }
	return formOf(scalarOf(fileOf), set,
		func(a Asked) Node { return textNode((*field(&a)).File()) })
}

// checkSizes checks what no case can ask for: maximum lengths that don't fit the distribution, and the contents of files.
func (s Spec) checkSizes() error {
	if s.RequestSizes != nil && s.ResponseSizes == nil && s.ResponseBytes != s.RequestBytes {
		return Errorf("", "response_bytes: replies as long as their requests have at most %d, not %d", s.RequestBytes, s.ResponseBytes)
	}
	for _, side := range []struct {
		name  string
		sizes *Sizes
		bytes int
	}{{"request", s.RequestSizes, s.RequestBytes}, {"response", s.ResponseSizes, s.ResponseBytes}} {
		if err := side.sizes.check(side.bytes); err != nil {
			return Errorf("", "%s_bytes: %v", side.name, err)
		}
	}
	return nil
}

// check reports whether the bins are good, and bytes is the longest length. Those of a file may not have been read yet.
func (s *Sizes) check(bytes int) error {
	switch {
	case s == nil:
		return nil
	case s.File() == "" && s.Bins != nil:
		return fmt.Errorf("%q is no file, and has bins of one", s.Text)
	case s.File() != "" && s.Bins == nil:
		_, err := count(0, stack.MessageBytesMax)(strconv.Itoa(bytes))
		return err
	case len(s.Bins) > sizeBinsMax:
		return fmt.Errorf("%d lengths, %d at most", len(s.Bins), sizeBinsMax)
	}
	if err := checkBins(s.Drawn()); err != nil {
		return err
	}
	if most := s.Most(); bytes != most {
		return fmt.Errorf("%d is not %d, the longest of %q", bytes, most, s.Text)
	}
	return nil
}

// drawnWhere finds random sizes where no call can have them.
func drawnWhere(s Spec) *stack.Fault {
	drawn := s.RequestSizes != nil || s.ResponseSizes != nil
	field := "request_bytes"
	if s.RequestSizes == nil {
		field = "response_bytes"
	}
	switch {
	case !drawn:
		return nil
	case s.Kind != "" && !stack.IsSizedKind(s.Kind):
		return fault(field, "%s has no random sizes; unary, stream, ping_pong, burst and upload have", s.Kind)
	case s.Batch > 0:
		return fault(field, "operations of a batch are equally long: leave out batch, or give one length")
	default:
		return nil
	}
}
