package process_test

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
)

// variables are the names of what a worker has in its environment.
func variables(t *testing.T, named ...string) (names []string) {
	t.Helper()
	env, err := exec.LookPath("env")
	if err != nil {
		t.Skip("there is no program to ask")
	}
	worker, err := process.Always(process.Program{Command: []string{env}, Environment: named}).Launch(t.Context(), launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	printed, err := io.ReadAll(worker)
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Wait(); err != nil {
		t.Fatal(err)
	}
	for variable := range strings.Lines(string(printed)) {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, name)
	}
	return names
}

func TestAWorkerGetsTheUsualVariablesAlone(t *testing.T) {
	usual := []string{
		"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "GOGC", "GOMEMLIMIT", "JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS",
		"SSL_CERT_FILE", "RPCBENCH_WORKERS",
	}
	others := []string{
		"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "GOOGLE_APPLICATION_CREDENTIALS", "GOPROXY", "SSH_AUTH_SOCK", "LD_PRELOAD",
		"HTTPS_PROXY", "path", "PATHS", "XPATH", "JAVA_OPTS",
	}
	for _, name := range slices.Concat(usual, others) {
		if _, ok := os.LookupEnv(name); !ok || name == "LD_PRELOAD" {
			t.Setenv(name, "")
		}
	}
	got := variables(t)
	for _, name := range usual {
		if !slices.Contains(got, name) {
			t.Errorf("%s does not reach the worker", name)
		}
	}
	for _, name := range others {
		if slices.Contains(got, name) {
			t.Errorf("%s reaches the worker", name)
		}
	}
	got = variables(t, "GITHUB_TOKEN", "NOT_SET_ANYWHERE")
	if !slices.Contains(got, "GITHUB_TOKEN") || slices.Contains(got, "NOT_SET_ANYWHERE") || slices.Contains(got, "GOPROXY") {
		t.Errorf("with one that is named it gets %q", got)
	}
}
