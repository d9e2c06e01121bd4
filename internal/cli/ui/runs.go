package ui

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/call/secret"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/child"
)

// Runs holds the runs that this server has started, the newest first. One runs at a time: two would disturb each other.
type Runs struct {
	Command []string // that runs rpcbench
	Folder  string   // of results and scenarios

	mu    sync.Mutex
	all   []*Run
	ended bool
}

// A Run is rpcbench run as a child process.
type Run struct {
	Name     string // of its results file
	Scenario string

	child   *child.Piped
	mu      sync.Mutex
	said    []string
	changed chan struct{} // closed when something has, and replaced
	done    bool
	code    int
}

const (
	maxSaid = 200 // lines of a run that are kept
	maxRuns = 50  // runs
)

// Scenarios are the built-in ones and those of the folder. A name that could be a flag's is nobody's scenario.
func (r *Runs) Scenarios() []string {
	names := scenario.BuiltinNames()
	listed, _ := os.ReadDir(r.Folder) // without it there are none
	for _, one := range listed {
		ending := filepath.Ext(one.Name())
		if (ending == ".yaml" || ending == ".yml") && one.Type().IsRegular() && !strings.HasPrefix(one.Name(), "-") {
			names = append(names, one.Name())
		}
	}
	return names
}

var errBusy = errors.New("a run is in progress, and two at once would disturb each other")

// Start starts a run of one of the Scenarios.
func (r *Runs) Start(name string, flags []string) (*Run, error) {
	if !slices.Contains(r.Scenarios(), name) {
		return nil, fmt.Errorf("%q is not a scenario", plain.Short(name, 60))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || slices.ContainsFunc(r.all, (*Run).Running) {
		return nil, errBusy
	}
	file, err := r.free()
	if err != nil {
		return nil, err
	}
	words := slices.Concat(r.Command, []string{"run", "--format=json", "--out=" + filepath.Join(r.Folder, file)}, flags,
		[]string{"--", r.argument(name)})
	run := &Run{Name: file, Scenario: name, changed: make(chan struct{})}
	command := exec.Command(words[0], words[1:]...)
	command.Stderr = run
	if run.child, err = child.StartPiped(command, nil); err != nil {
		return nil, err
	}
	go run.follow()
	r.all = slices.Insert(r.all, 0, run)
	r.all = r.all[:min(len(r.all), maxRuns)]
	return run, nil
}

// argument is a scenario as an argument of rpcbench run. One of the folder is a path, never a bare word: whoever named the file
// must not choose a flag, or a built-in scenario.
func (r *Runs) argument(name string) string {
	if slices.Contains(scenario.BuiltinNames(), name) {
		return name
	}
	path := filepath.Join(r.Folder, name)
	if filepath.IsAbs(path) {
		return path
	}
	return "." + string(filepath.Separator) + path
}

// free is the name of a results file that there is not.
func (r *Runs) free() (string, error) {
	name := "rpcbench-" + time.Now().UTC().Format("20060102T150405")
	for n := 1; n < maxRuns; n++ {
		file := fmt.Sprintf("%sZ.jsonl", name)
		if n > 1 {
			file = fmt.Sprintf("%sZ-%d.jsonl", name, n)
		}
		if _, err := os.Lstat(filepath.Join(r.Folder, file)); errors.Is(err, os.ErrNotExist) {
			return file, nil
		}
	}
	return "", errors.New("too many runs at once")
}

// All are the runs, the newest first.
func (r *Runs) All() []*Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

// Find returns the run that writes a results file, or nil.
func (r *Runs) Find(name string) *Run {
	all := r.All()
	if i := slices.IndexFunc(all, func(run *Run) bool { return run.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// closePatience is how long a run may take to store what it has measured.
const closePatience = 15 * time.Second

// Close cancels the running run, and waits for its end. No further run is started.
func (r *Runs) Close() {
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	for _, run := range r.All() {
		if run.Running() {
			run.Cancel()
			run.child.EndsWithin(closePatience)
			run.child.Kill()
			_ = run.child.Wait() // it was cancelled
		}
	}
}

// follow waits for the end of a run.
func (r *Run) follow() {
	_, _ = io.Copy(io.Discard, r.child.Out) // the report, which is in the results file
	err := r.child.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = true
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		r.code = exit.ExitCode()
	} else if err != nil {
		r.code = -1
	}
	r.tell()
}

// tell wakes goroutines that wait for a change. The caller holds the lock.
func (r *Run) tell() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// Write implements io.Writer for the run's output.
func (r *Run) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for line := range strings.Lines(secret.Text(string(b))) {
		if line = strings.TrimSpace(plain.Line(line)); line != "" {
			r.said = append(r.said, line)
		}
	}
	r.said = r.said[max(len(r.said)-maxSaid, 0):]
	r.tell()
	return len(b), nil
}

// look returns a run's output so far, whether it has ended, and a channel that is closed when that changes.
func (r *Run) look() (said []string, done bool, changed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.said), r.done, r.changed
}

// Running reports whether it has not ended.
func (r *Run) Running() bool {
	_, done, _ := r.look()
	return !done
}

// exitInterrupted is rpcbench's exit code after Ctrl-C.
const exitInterrupted = 130

// State says how it is, in a word.
func (r *Run) State() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case !r.done:
		return "is running"
	case r.code == 0:
		return "is done"
	case r.code == exitInterrupted:
		return "was cancelled; what was measured until then is kept"
	default:
		return "failed"
	}
}

// Why returns the last line of a run that failed, which says why; "" of others.
func (r *Run) Why() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.done || r.code == 0 || r.code == exitInterrupted || len(r.said) == 0 {
		return ""
	}
	return strings.TrimPrefix(r.said[len(r.said)-1], "rpcbench: ")
}

// Cancel interrupts the run, as Ctrl-C does.
func (r *Run) Cancel() {
	if child.NoSignals != "" || r.child.Interrupt() != nil {
		r.child.Kill()
	}
}

var listForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._,-]*$`)

// maxList is checked apart from the form, where it would take long to compile.
const maxList = 201

// flagsOf are the flags of rpcbench run that a form asks for.
func flagsOf(form url.Values) ([]string, error) {
	var flags []string
	for _, name := range []string{"stacks", "label"} {
		value := strings.ReplaceAll(form.Get(name), " ", "")
		if value == "" {
			continue
		}
		if len(value) > maxList || !listForm.MatchString(value) {
			return nil, fmt.Errorf("%s: %q is not a name", name, plain.Short(value, 60))
		}
		flags = append(flags, "--"+name+"="+value)
	}
	if text := strings.TrimSpace(form.Get("trials")); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("trials: %q is not a number from 1 on", plain.Short(text, 60))
		}
		flags = append(flags, "--trials="+strconv.Itoa(n))
	}
	return flags, nil
}

// maxFormBytes limits the size of a form.
const maxFormBytes = 64 << 10

// startRun starts the run that a form asks for.
func (s *server) startRun(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	patient(w)
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(uploadPatience)) // a recorder of tests has none
	if err := r.ParseForm(); err != nil {
		s.notStarted(w, r, http.StatusBadRequest, "The form is not valid.")
		return
	}
	flags, err := flagsOf(r.PostForm)
	var run *Run
	if err == nil {
		run, err = s.Runs.Start(r.PostForm.Get("scenario"), flags)
	}
	switch {
	case errors.Is(err, errBusy):
		s.notStarted(w, r, http.StatusConflict, "The run was not started: "+err.Error()+".")
	case err != nil:
		s.notStarted(w, r, http.StatusBadRequest, "The run was not started: "+err.Error()+".")
	default:
		http.Redirect(w, r, "live/"+url.PathEscape(run.Name), http.StatusSeeOther)
	}
}

// notStarted writes a page that says why a run was not started, with what was entered.
func (s *server) notStarted(w http.ResponseWriter, r *http.Request, code int, sentence string) {
	form := s.startForm(r.PostForm)
	form.IsOpen = true
	s.refuse(w, r, code, refusal{Of: "run", Title: "Not started", Sentence: sentence, Start: form})
}

// cancelRun interrupts a run.
func (s *server) cancelRun(w http.ResponseWriter, r *http.Request) {
	run := s.Runs.Find(r.PathValue("name"))
	if run == nil {
		s.refuse(w, r, http.StatusNotFound, refusal{Of: "run", Title: "Not found", Sentence: "There is no such run."})
		return
	}
	if run.Running() {
		run.Cancel()
	}
	http.Redirect(w, r, "../../live/"+url.PathEscape(run.Name), http.StatusSeeOther)
}
