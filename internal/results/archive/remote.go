package archive

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/call/target"
	"rpcbench/internal/results/analysis"
)

// Of an archive that is served.
const (
	PathEntries = "api/entries" // GET lists, POST adds
	PathHistory = "api/history"
	PathResults = "api/results/" // and a name
	FactsHeader = "Rpcbench-Facts"
	MetricField = "metric"
)

// A Remote is an archive that is served at a URL.
type Remote struct {
	Base   *url.URL
	Token  string
	Client *http.Client
}

// ParseURL reads the URL of an archive; false is a folder's name. A token is sent over TLS or to this machine only.
func ParseURL(text string) (*url.URL, bool, error) {
	if !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") {
		return nil, false, nil
	}
	base, err := url.Parse(text)
	switch {
	case err != nil || base.Host == "":
		return nil, true, fmt.Errorf("%q is not a URL such as https://bench.example.com", plain.Short(text, 100))
	case base.User != nil || base.RawQuery != "":
		return nil, true, errors.New("the URL of an archive has no user and no parameters: give its token by --token-file or " +
			"--token-env")
	case base.Scheme == "http" && !target.IsLoopback(base.Hostname()):
		return nil, true, fmt.Errorf("%s: a token is sent over https only, except to this machine", base.Redacted())
	}
	return base, true, nil
}

// List is Dir.List.
func (r *Remote) List(ctx context.Context, q Query) (entries []Entry, err error) {
	return entries, r.get(ctx, PathEntries, q.Values(), &entries)
}

// History is Dir.History.
func (r *Remote) History(ctx context.Context, q Query, metric analysis.Metric) (series []Series, err error) {
	values := q.Values()
	values.Set(MetricField, string(metric))
	return series, r.get(ctx, PathHistory, values, &series)
}

// Open opens a results file.
func (r *Remote) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return r.do(ctx, http.MethodGet, PathResults+url.PathEscape(name), nil, nil, nil)
}

// Added is a server's answer to uploaded results.
type Added struct {
	Entry Entry `json:"entry"`
	IsNew bool  `json:"is_new"`
}

// Add is like Dir.Add, with the server's own size limit.
func (r *Remote) Add(ctx context.Context, name string, from io.Reader, _ int64, facts Facts) (Entry, bool, error) {
	text := base64.StdEncoding.EncodeToString(facts.Text()) // a header has no place for every character
	body, err := r.do(ctx, http.MethodPost, PathEntries, url.Values{"name": {name}}, from, http.Header{FactsHeader: {text}})
	if err != nil {
		return Entry{}, false, err
	}
	defer body.Close()
	var added Added
	if err := decodeAnswer(body, &added); err != nil {
		return Entry{}, false, err
	}
	return added.Entry, added.IsNew, nil
}

func (r *Remote) get(ctx context.Context, path string, values url.Values, into any) error {
	body, err := r.do(ctx, http.MethodGet, path, values, nil, nil)
	if err != nil {
		return err
	}
	defer body.Close()
	return decodeAnswer(body, into)
}

// maxAnswer limits a server's answer: an archive of 100,000 files.
const maxAnswer = 256 << 20

func decodeAnswer(from io.Reader, into any) error {
	err := json.NewDecoder(io.LimitReader(from, maxAnswer)).Decode(into)
	if errors.Is(err, errStandsStill) {
		return err
	}
	if err != nil {
		return fmt.Errorf("the server's answer is not that of an archive: %s", plain.Short(err.Error(), maxWord))
	}
	return nil
}

// maxSaying is the length of a server's error message that is shown.
const maxSaying = 500

func (r *Remote) do(
	ctx context.Context, method, path string, values url.Values, body io.Reader, headers http.Header,
) (io.ReadCloser, error) {
	at := r.Base.JoinPath(path)
	at.RawQuery = values.Encode()
	within, still := watch(ctx, r.Base.Redacted())
	request, err := http.NewRequestWithContext(within, method, at.String(), still.from(body))
	if err != nil {
		still.Close()
		return nil, err
	}
	maps.Copy(request.Header, headers)
	request.Header.Set("Authorization", "Bearer "+r.Token)
	response, err := r.Client.Do(request) //nolint:bodyclose // still closes it
	if err != nil {
		defer still.Close()
		if failed, ok := errors.AsType[*url.Error](err); ok { // whose text has all of the request
			err = fmt.Errorf("%s: %w", r.Base.Redacted(), plain.Cause(failed.Err))
		}
		return nil, still.orWhy(err)
	}
	still.body = response.Body
	still.rest()
	if response.StatusCode == http.StatusOK {
		return still, nil
	}
	defer still.Close()
	said, err := io.ReadAll(io.LimitReader(still, maxSaying))
	if errors.Is(err, errStandsStill) {
		return nil, err
	}
	err = fmt.Errorf("%s says: %s", r.Base.Redacted(), plain.Line(strings.TrimSpace(string(said))))
	if response.StatusCode >= 400 && response.StatusCode < 500 {
		return nil, refusal{err}
	}
	return nil, err
}
