// Package android tests the Android app: what make android has built, and its worker with the app's classes on a JVM. No phone
// takes part.
package android

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// root is the folder of the repository.
const root = "../../.."

// built is the path of what make android has built; the test is skipped where it is not there.
func built(t *testing.T, names ...string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(append([]string{root}, names...)...))
	if err != nil || len(found) == 0 {
		t.Skipf("%s is not there: make android builds it", filepath.Join(names...))
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// say runs a program, and returns what it prints.
func say(t *testing.T, program string, words ...string) string {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("there is no %s", program)
	}
	said, err := exec.CommandContext(t.Context(), program, words...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(words, " "), err, said)
	}
	return string(said)
}

func TestTheAppIsSigned(t *testing.T) {
	said := say(t, "apksigner", "verify", "--verbose", "--min-sdk-version", "26", built(t, "bin/android/rpcbench.apk"))
	for _, want := range []string{"Verifies", "v2 scheme (APK Signature Scheme v2): true", "Number of signers: 1"} {
		if !strings.Contains(said, want) {
			t.Errorf("apksigner does not say %q:\n%s", want, said)
		}
	}
}

func TestTheAppMayReachTheNetworkAndNothingElse(t *testing.T) {
	said := say(t, "aapt2", "dump", "badging", built(t, "bin/android/rpcbench.apk"))
	if got := regexp.MustCompile(`(?m)^uses-permission.*$`).FindAllString(said, -1); len(got) != 1 ||
		got[0] != "uses-permission: name='android.permission.INTERNET'" {
		t.Errorf("it has the permissions %q", got)
	}
	for _, want := range []string{
		"package: name='rpcbench.android'", "sdkVersion:'26'", "targetSdkVersion:'29'",
		"launchable-activity: name='rpcbench.android.MainActivity'",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it lacks %s:\n%s", want, said)
		}
	}
}

// A file of classes refers to 65,536 methods at most, and D8 begins another where they are more.
func TestTheAppKeepsTheLimitsOfDex(t *testing.T) {
	folder := t.TempDir()
	apk := built(t, "bin/android/rpcbench.apk")
	say(t, "unzip", "-q", apk, "*.dex", "-d", folder)
	files, err := filepath.Glob(filepath.Join(folder, "*.dex"))
	if err != nil || len(files) == 0 {
		t.Fatalf("it has no classes: %v", err)
	}
	all := ""
	for _, file := range files {
		said := say(t, "dexdump", "-f", file)
		for _, limited := range []string{"method_ids_size", "field_ids_size"} {
			found := regexp.MustCompile(limited + `\s*: (\d+)`).FindStringSubmatch(said)
			if found == nil {
				t.Fatalf("dexdump does not say %s", limited)
			}
			if n, err := strconv.Atoi(found[1]); err != nil || n == 0 || n > 1<<16 {
				t.Errorf("%s of %s is %d, %v", limited, filepath.Base(file), n, err)
			}
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all += string(content)
	}
	for _, name := range []string{"MainActivity", "WorkerActivity", "ResultsProvider"} {
		if !strings.Contains(all, "Lrpcbench/android/"+name+";") {
			t.Errorf("%d files of classes lack %s", len(files), name)
		}
	}
}
