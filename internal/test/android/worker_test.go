package android

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rpcbench/internal/results/result"
	"rpcbench/internal/test/programtest"
)

// app is the command of the app's worker on a JVM, with the app's classes and libraries, and Android's org.json.
func app(t *testing.T) []string {
	t.Helper()
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip("there is no java")
	}
	classes := []string{
		built(t, "android/target/test-classes"), built(t, "android/target/classes"),
		built(t, "bin/java/codec-android/lib/android-json-*.jar"),
		filepath.Join(filepath.Dir(built(t, "android/target/lib/*.jar")), "*"),
	}
	path := strings.Join(classes, string(filepath.ListSeparator))
	return []string{"java", "-XX:TieredStopAtLevel=1", "-cp", path, "rpcbench.android.SocketMain"}
}

func TestTheAppsWorkerKeepsTheProtocol(t *testing.T) {
	words := append([]string{"conform", "--timing", "no", "--stack", "android-grpc-okhttp,android-codec", "--"}, app(t)...)
	said := say(t, built(t, "bin/rpcbench"), words...)
	skipped := regexp.MustCompile(`(?m)^skip +(.*?)  `).FindAllStringSubmatch(said, -1)
	if len(skipped) != 2 || skipped[0][1] != "an interrupt is ignored" || skipped[1][1] != "options that print" {
		t.Errorf("it skips %q", skipped)
	}
	if n := strings.Count("\n"+said, "\nok "); strings.Contains(said, "\nFAIL ") || n < 70 {
		t.Errorf("%d cases pass:\n%s", n, said)
	}
}

// A scripted adb reaches a phone that is a JVM of this machine.
func TestTheComputerRunsScenariosInTheApp(t *testing.T) {
	folder := t.TempDir()
	words := append(app(t), "serve")
	phone := exec.CommandContext(t.Context(), words[0], words[1:]...)
	phone.Stderr = t.Output()
	out, err := phone.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := phone.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = phone.Process.Kill(); _ = phone.Wait() }()
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *--remove*) ;; *forward*) echo %s ;; esac\n", strings.TrimSpace(port))
	programtest.Write(t, filepath.Join(folder, "adb"), script)
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	results := filepath.Join(folder, "phone.jsonl")
	scenario := filepath.Join(folder, "s.yaml")
	if err := os.WriteFile(scenario, []byte(scenarioText), 0o600); err != nil {
		t.Fatal(err)
	}
	say(t, built(t, "bin/rpcbench"), "run", scenario, "--no-floor", "--out", results, "--worker", "adb:R58@127.0.0.1")
	file, err := result.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	if hosts := file.Header.Hosts; len(hosts) != 2 || hosts[1].ID != "phone" {
		t.Errorf("its hosts are %+v", hosts)
	}
	if len(file.Trials) != 3 {
		t.Fatalf("it has %d trials, want 3", len(file.Trials))
	}
	for _, trial := range file.Trials {
		if trial.Failure != "" {
			t.Errorf("%s: %s", trial.Spec.Stack, trial.Failure)
			continue
		}
		client := trial.Clients[0]
		if client.Host != "phone" || len(client.Outcomes) != 1 || client.Outcomes[0].Code != "OK" || client.Outcomes[0].Calls != 20 {
			t.Errorf("%s on %q: %+v", trial.Spec.Stack, client.Host, client.Outcomes)
		}
	}
}

const scenarioText = `question: Does the phone measure?
name: phones
defaults: {trials: 1, calls: 20, warmup: 1ms}
cases:
  - title: Echo
    kind: unary
    stack: [android-grpc-okhttp, android-http-json-okhttp]
    server: [grpc-go, http-json-go]
    request_bytes: 100
  - title: Encoding
    kind: encode
    stack: android-codec
    message: small
    codec: protobuf-bytes
    sample: 1ms
`
