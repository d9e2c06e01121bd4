package fleet

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"rpcbench/internal/call/secret"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
)

// environmentOptions returns the environment's JVM options as plans and results have them: without apparent secrets. Command puts
// those back.
func environmentOptions() (string, error) {
	text := os.Getenv(jvmOptionsEnv)
	words, err := point.SplitWords(text)
	if err != nil {
		return text, fmt.Errorf("the environment's %s can't be split into words: %w", jvmOptionsEnv, err)
	}
	shown := secret.Words(words)
	if slices.Equal(shown, words) {
		return text, nil
	}
	for i, word := range shown {
		shown[i] = point.Quoted(word)
	}
	return strings.Join(shown, " "), nil
}

// checkWords returns an error if a JVM of these trials can't get its options.
func checkWords(trials []plan.Trial) error {
	for _, t := range trials {
		if _, err := jvmWords(t.Spec.JVMOptions); err != nil {
			return err
		}
	}
	return nil
}

// jvmWords returns a plan's JVM options for the JVM: hidden parts are taken from the environment.
func jvmWords(options string) ([]string, error) {
	words, err := point.JVMWords(options)
	if err != nil {
		return nil, err
	}
	whole, err := point.SplitWords(os.Getenv(jvmOptionsEnv))
	if err != nil {
		return nil, err
	}
	shown := secret.Words(whole)
	for i, word := range words {
		at := slices.Index(shown, word)
		switch {
		case !strings.Contains(word, secret.Hidden):
		case at < 0:
			return nil, fmt.Errorf("the JVM option %s looked like a secret, so results do not have its value: set it in %s",
				word, jvmOptionsEnv)
		default:
			words[i] = whole[at]
		}
	}
	return words, nil
}

// CheckEnvironment refuses options of the environment that a worker can't take, where one would get them.
func CheckEnvironment(jvm bool) error {
	if !jvm {
		return nil
	}
	if _, err := point.JVMWords(os.Getenv(jvmOptionsEnv)); err != nil {
		return fmt.Errorf("the environment's %s: %w", jvmOptionsEnv, err)
	}
	return nil
}
