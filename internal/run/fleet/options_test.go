package fleet

import (
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan/point"
)

func TestSecretsOfJavaOptionsReachTheJVMAlone(t *testing.T) {
	want := []string{"-Xmx1g", "-Dx.password=it's hunter 2", "-Dgreeting=good morning"}
	t.Setenv(jvmOptionsEnv, `-Xmx1g "-Dx.password=it's hunter 2" '-Dgreeting=good morning'`)
	shown, err := environmentOptions()
	if err != nil || strings.Contains(shown, "hunter") || !strings.Contains(shown, "good morning") {
		t.Fatalf("results would have %s, %v", shown, err)
	}
	if words, err := point.JVMWords(shown); err != nil || len(words) != len(want) {
		t.Errorf("results would have %q, %v", words, err)
	}
	if words, err := jvmWords(shown + " -Xint"); err != nil || !slices.Equal(words, append(want, "-Xint")) {
		t.Errorf("the JVM gets %q, %v", words, err)
	}
	t.Setenv(jvmOptionsEnv, "-Xmx1g")
	const refusal = "the JVM option -Dx.password=… looked like a secret, so results do not have its value: set it in JAVA_OPTS"
	if _, err := jvmWords(shown); err == nil || err.Error() != refusal {
		t.Errorf("got %v, want %s", err, refusal)
	}
}

func TestOptionsWithoutSecretsStayAsTheyAre(t *testing.T) {
	const text = `  -Xmx1g "-Da=b c"  `
	t.Setenv(jvmOptionsEnv, text)
	if shown, err := environmentOptions(); err != nil || shown != text {
		t.Errorf("got %q, %v", shown, err)
	}
}
